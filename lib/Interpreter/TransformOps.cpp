//===- TransformOps.cpp - hyena's Fourier transforms ----------------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"
#include "Parallel.h"
#include "Sums.h"

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

#include <algorithm>

namespace hyena::interp {

using namespace mlir;
using mlir::failure;
namespace dialect = mlir::hyena;

/// Rows that one call of transform() works on.
static constexpr int64_t kRows = 16;

/// Product of all extents but the last.
static int64_t countRows(ArrayRef<int64_t> shape) {
  int64_t rows = 1;
  for (int64_t extent : shape.drop_back())
    rows *= extent;
  return rows;
}

static LogicalResult evaluateRFFT(Evaluator &evaluator, dialect::RFFTOp op) {
  ValueRef input = evaluator.get(op.getInput());
  int64_t n = op.getN(), length = input->shape.back();
  int64_t used = std::min(n, length), frequencies = n / 2 + 1;
  SmallVector<int64_t> shape = llvm::to_vector(input->shape);
  shape.back() = frequencies;
  FailureOr<Value> result = evaluator.allocate(op, op.getType(), shape);
  if (failed(result))
    return failure();
  int64_t rows = countRows(shape);
  std::vector<std::complex<double>> roots = unitRoots(n);
  parallelFor(evaluator.threads(), llvm::divideCeil(rows, kRows),
              2.0 * kRows * used * frequencies, [&] {
                return [&](int64_t item) {
                  int64_t first = item * kRows,
                          count = std::min(kRows, rows - first);
                  Lanes x(used, count), y(frequencies, count);
                  for (int64_t row = 0; row < count; ++row)
                    for (int64_t m = 0; m < used; ++m)
                      x.re[m * count + row] =
                          input->reals[(first + row) * length + m];
                  transform(x, y, 0, frequencies, roots, /*forward=*/true,
                            /*realInput=*/true);
                  for (int64_t row = 0; row < count; ++row)
                    for (int64_t k = 0; k < frequencies; ++k)
                      result->complexes[(first + row) * frequencies + k] = {
                          y.re[k * count + row], y.im[k * count + row]};
                };
              });
  return evaluator.set(op.getResult(), std::move(*result));
}

static LogicalResult evaluateIRFFT(Evaluator &evaluator, dialect::IRFFTOp op) {
  ValueRef input = evaluator.get(op.getInput());
  int64_t n = op.getN(), frequencies = n / 2 + 1;
  if (input->shape.back() != frequencies)
    return op.emitOpError()
           << "C2: the last dimension of the input is " << input->shape.back()
           << " at run time, expected " << frequencies;
  SmallVector<int64_t> shape = llvm::to_vector(input->shape);
  shape.back() = n;
  FailureOr<Value> result = evaluator.allocate(op, op.getType(), shape);
  if (failed(result))
    return failure();
  int64_t rows = countRows(shape);
  std::vector<std::complex<double>> roots = unitRoots(n);
  parallelFor(
      evaluator.threads(), llvm::divideCeil(rows, kRows),
      4.0 * kRows * n * frequencies, [&] {
        return [&](int64_t item) {
          int64_t first = item * kRows, count = std::min(kRows, rows - first);
          Lanes x(frequencies, count), y(n, count);
          for (int64_t row = 0; row < count; ++row) {
            for (int64_t k = 0; k < frequencies; ++k) {
              // The term of n - k is the conjugate of that of k, so their sum
              // is twice the real part. 0 and n/2 stand alone, and are real.
              bool alone = 2 * k % n == 0;
              std::complex<double> value =
                  input->complexes[(first + row) * frequencies + k];
              x.re[k * count + row] = value.real() * (alone ? 1 : 2);
              x.im[k * count + row] = alone ? 0 : value.imag() * 2;
            }
          }
          transform(x, y, 0, n, roots, /*forward=*/false, /*realInput=*/false);
          for (int64_t row = 0; row < count; ++row)
            for (int64_t m = 0; m < n; ++m)
              result->reals[(first + row) * n + m] =
                  y.re[m * count + row] / static_cast<double>(n);
        };
      });
  return evaluator.set(op.getResult(), std::move(*result));
}

static LogicalResult evaluateSpectralMul(Evaluator &evaluator,
                                         dialect::SpectralMulOp op) {
  Value result = *evaluator.get(op.getLhs());
  ValueRef rhs = evaluator.get(op.getRhs());
  auto mismatch = [&] {
    return op.emitOpError()
           << "the operands have the shapes " << shapeText(result.shape)
           << " and " << shapeText(rhs->shape)
           << " at run time, expected one, or (B, C, F) and "
              "(G, F)";
  };
  if (rhs->shape == result.shape) {
    for (auto [a, b] : llvm::zip(result.complexes, rhs->complexes))
      a *= b;
    return evaluator.set(op.getResult(), std::move(result));
  }
  if (result.rank() != 3 || rhs->rank() != 2 ||
      rhs->shape[1] != result.shape[2] || rhs->shape[0] == 0 ||
      result.shape[1] % rhs->shape[0] != 0)
    return mismatch();
  int64_t channels = result.shape[1], frequencies = result.shape[2];
  int64_t perGroup = channels / rhs->shape[0];
  for (int64_t row = 0; row < result.shape[0] * channels; ++row)
    for (int64_t k = 0; k < frequencies; ++k)
      result.complexes[row * frequencies + k] *=
          rhs->complexes[row % channels / perGroup * frequencies + k];
  return evaluator.set(op.getResult(), std::move(result));
}

void addTransformHandlers(HandlerTable &table) {
  table.add<dialect::RFFTOp>(evaluateRFFT);
  table.add<dialect::IRFFTOp>(evaluateIRFFT);
  table.add<dialect::SpectralMulOp>(evaluateSpectralMul);
}

} // namespace hyena::interp
