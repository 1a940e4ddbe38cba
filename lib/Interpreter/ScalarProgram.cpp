//===- ScalarProgram.cpp - scalar operations over many elements -----------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarProgram.h"

#include "Constants.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include <algorithm>

namespace hyena::interp {

using namespace mlir;
using mlir::failure;
using mlir::success;

static const KernelTable &kernelTable() {
  static const KernelTable table = [] {
    KernelTable result;
    addRealKernels(result);
    addIntegerKernels(result);
    addCastKernels(result);
    addComplexKernels(result);
    return result;
  }();
  return table;
}

Kernel findKernel(Operation *op) {
  auto entry = kernelTable().find(op->getName().getStringRef());
  if (entry == kernelTable().end())
    return nullptr;
  return entry->second(op);
}

std::optional<Kind> kindOf(Type type) {
  type = getElementTypeOrSelf(type);
  if (isa<FloatType>(type))
    return Kind::Real;
  if (auto complex = dyn_cast<ComplexType>(type))
    return isa<FloatType>(complex.getElementType())
               ? std::optional(Kind::Complex)
               : std::nullopt;
  if (type.isIndex())
    return Kind::Integer;
  if (auto integer = dyn_cast<IntegerType>(type))
    if (integer.getWidth() >= 1 && integer.getWidth() <= 64)
      return Kind::Integer;
  return std::nullopt;
}

unsigned widthOf(Type type) {
  type = getElementTypeOrSelf(type);
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

int64_t wrap(int64_t value, unsigned width) {
  if (width == 1)
    return value & 1;
  unsigned surplus = 64 - width;
  return static_cast<int64_t>(static_cast<uint64_t>(value) << surplus) >>
         surplus;
}

int ScalarProgram::makeRegister(Kind kind) {
  kinds.push_back(kind);
  used.push_back(false);
  return kinds.size() - 1;
}

FailureOr<int> ScalarProgram::registerOf(mlir::Value value, Operation *user,
                                         DenseMap<mlir::Value, int> &registers,
                                         Lookup lookup) {
  auto known = registers.find(value);
  if (known != registers.end()) {
    used[known->second] = true;
    return known->second;
  }
  ValueRef outside = lookup ? lookup(value) : nullptr;
  if (!outside || outside->rank() != 0)
    return user->emitError()
           << "the interpreter has no scalar for an operand of type "
           << value.getType();
  int index = makeRegister(outside->kind);
  uniforms.emplace_back(index, outside);
  registers[value] = index;
  used[index] = true;
  return index;
}

/// The kernel of a tensor.extract: a look-up in `source`.
static Kernel extractKernel(ValueRef source) {
  return [source = std::move(source)](const KernelArgs &args) {
    for (int64_t k = 0; k < args.count; ++k) {
      int64_t offset = 0;
      for (int64_t d = 0, rank = source->rank(); d < rank; ++d) {
        int64_t index = args.integers(d)[k];
        if (index < 0 || index >= source->shape[d]) {
          args.error = "index " + std::to_string(index) + " of dimension " +
                       std::to_string(d) + " is out of bounds, expected 0 to " +
                       std::to_string(source->shape[d] - 1);
          return;
        }
        offset = offset * source->shape[d] + index;
      }
      switch (source->kind) {
      case Kind::Real:
        args.result.re[k] = source->reals[offset];
        break;
      case Kind::Complex:
        args.result.re[k] = source->complexes[offset].real();
        args.result.im[k] = source->complexes[offset].imag();
        break;
      case Kind::Integer:
        args.result.integers[k] = source->integers[offset];
      }
    }
  };
}

LogicalResult ScalarProgram::addOperation(Operation *op,
                                          DenseMap<mlir::Value, int> &registers,
                                          Lookup lookup) {
  auto unknown = [&] {
    return op->emitError() << "the interpreter does not know '" << op->getName()
                           << "' in this form, on scalars";
  };
  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return unknown();
  std::optional<Kind> kind = kindOf(op->getResult(0).getType());
  if (!kind)
    return unknown();

  Attribute constant;
  if (matchPattern(op->getResult(0), m_Constant(&constant))) {
    FailureOr<Value> value =
        convertAttribute(op, constant, op->getResult(0).getType());
    if (failed(value))
      return failure();
    int index = makeRegister(value->kind);
    uniforms.emplace_back(index, std::make_shared<Value>(std::move(*value)));
    registers[op->getResult(0)] = index;
    return success();
  }
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    int result = makeRegister(Kind::Integer);
    indices.emplace_back(index.getDim(), result);
    registers[op->getResult(0)] = result;
    return success();
  }

  Instruction instruction;
  instruction.op = op;
  ValueRange operands = op->getOperands();
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    ValueRef source = lookup ? lookup(extract.getTensor()) : nullptr;
    if (!source)
      return unknown();
    instruction.kernel = extractKernel(source);
    operands = extract.getIndices();
  } else {
    instruction.kernel = findKernel(op);
  }
  if (!instruction.kernel)
    return unknown();
  for (mlir::Value operand : operands) {
    FailureOr<int> source = registerOf(operand, op, registers, lookup);
    if (failed(source))
      return failure();
    instruction.operands.push_back(*source);
  }
  instruction.result = makeRegister(*kind);
  registers[op->getResult(0)] = instruction.result;
  instructions.push_back(std::move(instruction));
  return success();
}

FailureOr<ScalarProgram> ScalarProgram::compile(Block &block, Lookup lookup) {
  ScalarProgram program;
  DenseMap<mlir::Value, int> registers;
  Operation *terminator = block.getTerminator();
  for (BlockArgument argument : block.getArguments()) {
    std::optional<Kind> kind = kindOf(argument.getType());
    if (!kind)
      return block.getParentOp()->emitError()
             << "the interpreter does not know the type " << argument.getType();
    int index = program.makeRegister(*kind);
    registers[argument] = index;
    program.inputs.push_back(index);
  }
  for (Operation &op : block.without_terminator())
    if (failed(program.addOperation(&op, registers, lookup)))
      return failure();
  for (mlir::Value value : terminator->getOperands()) {
    FailureOr<int> index =
        program.registerOf(value, terminator, registers, lookup);
    if (failed(index))
      return failure();
    program.outputs.push_back(*index);
  }
  return program;
}

FailureOr<ScalarProgram> ScalarProgram::compile(Operation *op) {
  ScalarProgram program;
  DenseMap<mlir::Value, int> registers;
  Instruction instruction;
  instruction.op = op;
  instruction.kernel = findKernel(op);
  std::optional<Kind> kind = kindOf(op->getResult(0).getType());
  if (!instruction.kernel || !kind)
    return op->emitError() << "the interpreter does not know '" << op->getName()
                           << "' in this form";
  for (mlir::Value operand : op->getOperands()) {
    std::optional<Kind> operandKind = kindOf(operand.getType());
    if (!operandKind)
      return op->emitError()
             << "the interpreter does not know the type " << operand.getType();
    int index = program.makeRegister(*operandKind);
    program.used[index] = true;
    program.inputs.push_back(index);
    instruction.operands.push_back(index);
  }
  instruction.result = program.makeRegister(*kind);
  program.outputs.push_back(instruction.result);
  program.instructions.push_back(std::move(instruction));
  return program;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

Registers::Registers(const ScalarProgram &program) : program(program) {
  columns.resize(program.kinds.size());
  for (auto [column, kind] : llvm::zip(columns, program.kinds)) {
    if (kind == Kind::Integer)
      column.integers.resize(ScalarProgram::kWidth);
    else
      column.re.resize(ScalarProgram::kWidth);
    if (kind == Kind::Complex)
      column.im.resize(ScalarProgram::kWidth);
  }
  for (const auto &[index, value] : program.uniforms)
    load(columns[index], *value, 0, 0, ScalarProgram::kWidth);
}

void Registers::run(int64_t count) {
  SmallVector<const Column *, 4> operands;
  std::string error;
  for (const ScalarProgram::Instruction &instruction : program.instructions) {
    operands.clear();
    for (int index : instruction.operands)
      operands.push_back(&columns[index]);
    instruction.kernel({operands, columns[instruction.result], count, error});
    if (error.empty())
      continue;
    if (!failed) {
      failed = instruction.op;
      message = error;
    }
    return;
  }
}

void load(Column &column, const Value &source, int64_t offset, int64_t step,
          int64_t count) {
  switch (source.kind) {
  case Kind::Real: {
    const double *from = source.reals.data() + offset;
    if (step == 1)
      std::copy(from, from + count, column.re.begin());
    else
      for (int64_t k = 0; k < count; ++k)
        column.re[k] = from[k * step];
    break;
  }
  case Kind::Complex:
    for (int64_t k = 0; k < count; ++k) {
      column.re[k] = source.complexes[offset + k * step].real();
      column.im[k] = source.complexes[offset + k * step].imag();
    }
    break;
  case Kind::Integer:
    for (int64_t k = 0; k < count; ++k)
      column.integers[k] = source.integers[offset + k * step];
  }
}

void store(const Column &column, Value &destination, int64_t offset,
           int64_t step, int64_t count) {
  switch (destination.kind) {
  case Kind::Real:
    for (int64_t k = 0; k < count; ++k)
      destination.reals[offset + k * step] = column.re[k];
    break;
  case Kind::Complex:
    for (int64_t k = 0; k < count; ++k)
      destination.complexes[offset + k * step] = {column.re[k], column.im[k]};
    break;
  case Kind::Integer:
    for (int64_t k = 0; k < count; ++k)
      destination.integers[offset + k * step] = column.integers[k];
  }
}

void ErrorCollector::collect(const Registers &registers) {
  if (!registers.failedOp())
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (op)
    return;
  op = registers.failedOp();
  message = registers.error();
}

LogicalResult ErrorCollector::report() const {
  if (!op)
    return success();
  return op->emitOpError() << message;
}

} // namespace hyena::interp
