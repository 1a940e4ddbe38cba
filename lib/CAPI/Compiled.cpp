//===- Compiled.cpp - Programs compiled for the processor -----------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executable.h"

#include "hyena/Execution/Program.h"

using namespace ::hyena::capi;
using mlir::hyena::Array;

namespace {

/// Packed parameters, and copies of those that a run reads as they are: the
/// caller's memory need not stay.
class PreparedParameters : public Prepared {
public:
  std::unique_ptr<mlir::hyena::PackedParameters> packed;
  std::vector<std::vector<char>> copies;
  std::vector<HyenaTensor> tensors;
};

class Compiled : public Executable {
public:
  Compiled(std::unique_ptr<mlir::hyena::Program> program,
           llvm::ArrayRef<ValueDescription> arguments)
      : program(std::move(program)), arguments(arguments) {}

  Outcome prepare(llvm::ArrayRef<HyenaTensor> parameters,
                  std::unique_ptr<Prepared> &prepared) override {
    auto made = std::make_unique<PreparedParameters>();
    std::string error;
    made->packed = program->prepare(arrays({}, parameters), error);
    if (!made->packed)
      return Outcome::internal(std::move(error));
    size_t index = 0;
    for (auto [i, info] : llvm::enumerate(program->getArguments())) {
      if (!info.isParam)
        continue;
      HyenaTensor tensor = parameters[index++];
      // Extents of a parameter are static, so those of the program last.
      tensor.shape = arguments[i].shape.data();
      if (program->forwardReads(i)) {
        const char *start = static_cast<const char *>(tensor.data);
        made->copies.emplace_back(start, start + byteCount(tensor));
        tensor.data = made->copies.back().data();
      } else {
        tensor.data = nullptr;
      }
      made->tensors.push_back(tensor);
    }
    prepared = std::move(made);
    return {};
  }

  Outcome query(llvm::ArrayRef<HyenaTensor> inputs,
                std::vector<std::vector<int64_t>> &shapes,
                int64_t &workspaceBytes) override {
    llvm::SmallVector<llvm::SmallVector<int64_t>> extents;
    std::string error;
    if (failed(
            program->query(arrays(inputs, {}), extents, workspaceBytes, error)))
      return Outcome::invalid(std::move(error));
    for (llvm::ArrayRef<int64_t> shape : extents)
      shapes.emplace_back(shape);
    return {};
  }

  Outcome run(const Prepared &prepared, llvm::ArrayRef<HyenaTensor> inputs,
              llvm::ArrayRef<HyenaTensor> results) override {
    const auto &packed = static_cast<const PreparedParameters &>(prepared);
    llvm::SmallVector<Array> outs;
    for (auto [tensor, info] : llvm::zip_equal(results, program->getResults()))
      outs.push_back(array(&tensor, info));
    std::string error;
    if (failed(program->forward(arrays(inputs, packed.tensors), *packed.packed,
                                outs, error)))
      return Outcome::internal(std::move(error));
    return {};
  }

private:
  static Array array(const HyenaTensor *tensor,
                     const mlir::hyena::ValueInfo &info) {
    Array made;
    made.elementType = info.type.getElementType();
    if (tensor) {
      made.data = tensor->data;
      made.shape.assign(tensor->shape, tensor->shape + tensor->rank);
    } else {
      // Its data is not looked at; any extents that fit will do.
      for (int64_t extent : info.type.getShape())
        made.shape.push_back(mlir::ShapedType::isDynamic(extent) ? 0 : extent);
    }
    return made;
  }

  /// All arguments in the order of the function, without memory for those that
  /// are not given.
  llvm::SmallVector<Array>
  arrays(llvm::ArrayRef<HyenaTensor> inputs,
         llvm::ArrayRef<HyenaTensor> parameters) const {
    llvm::SmallVector<Array> all;
    for (const mlir::hyena::ValueInfo &info : program->getArguments()) {
      llvm::ArrayRef<HyenaTensor> &from = info.isParam ? parameters : inputs;
      all.push_back(array(from.empty() ? nullptr : &from.front(), info));
      if (!from.empty())
        from = from.drop_front();
    }
    return all;
  }

  std::unique_ptr<mlir::hyena::Program> program;
  std::vector<ValueDescription> arguments;
};

} // namespace

std::shared_ptr<Executable>
hyena::capi::makeCompiled(std::unique_ptr<mlir::hyena::Source> source,
                          llvm::ArrayRef<ValueDescription> arguments,
                          int64_t threads, Outcome &outcome) {
  mlir::hyena::Program::Options options;
  options.threads = threads;
  std::string error;
  auto program =
      mlir::hyena::Program::compile(std::move(source), options, error);
  if (!program) {
    outcome = Outcome::invalid(std::move(error));
    return nullptr;
  }
  return std::make_shared<Compiled>(std::move(program), arguments);
}
