//===- Elementwise.cpp - scalar operations on tensors ---------------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"
#include "Parallel.h"

#include <algorithm>

namespace hyena::interp {

using namespace mlir;
using mlir::failure;

LogicalResult evaluateElementwise(Evaluator &evaluator, Operation *op) {
  SmallVector<ValueRef> operands;
  const Value *first = nullptr;
  for (mlir::Value operand : op->getOperands()) {
    operands.push_back(evaluator.get(operand));
    // arith.select takes a scalar condition beside tensors.
    if (!first || first->rank() == 0)
      first = operands.back().get();
  }
  for (auto [i, operand] : llvm::enumerate(operands))
    if (operand->rank() != 0 && operand->shape != first->shape)
      return op->emitOpError()
             << "operand " << i << " has the shape "
             << shapeText(operand->shape) << " at run time, expected "
             << shapeText(first->shape);

  FailureOr<ScalarProgram> program = ScalarProgram::compile(op);
  if (failed(program))
    return failure();
  FailureOr<Value> result =
      evaluator.allocate(op, op->getResult(0).getType(), first->shape);
  if (failed(result))
    return failure();
  int64_t count = result->numElements();
  constexpr int64_t width = ScalarProgram::kWidth;
  ErrorCollector errors;
  // A transcendental function costs about ten operations.
  parallelFor(evaluator.threads(), (count + width - 1) / width, 10 * width,
              [&] {
                auto registers = std::make_shared<Registers>(*program);
                return [&, registers](int64_t item) {
                  int64_t begin = item * width;
                  int64_t size = std::min(width, count - begin);
                  for (auto [i, operand] : llvm::enumerate(operands)) {
                    bool scalar = operand->rank() == 0;
                    load((*registers)[program->input(i)], *operand,
                         scalar ? 0 : begin, scalar ? 0 : 1, size);
                  }
                  registers->run(size);
                  store((*registers)[program->getOutputs()[0]], *result, begin,
                        1, size);
                  errors.collect(*registers);
                };
              });
  if (failed(errors.report()))
    return failure();
  return evaluator.set(op->getResult(0), std::move(*result));
}

} // namespace hyena::interp
