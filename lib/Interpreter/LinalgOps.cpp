//===- LinalgOps.cpp - linalg operations on tensors -----------------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AffineValue.h"
#include "Evaluator.h"
#include "Parallel.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <algorithm>
#include <cmath>

namespace hyena::interp {

using namespace mlir;
using mlir::failure;
using mlir::success;

namespace {

/// How an operand is read (and written) in the loops.
struct OperandView {
  ValueRef value;
  AffineMap map;
  /// Offset of the element: `base + sum_d steps[d] * i_d`; only if `linear`.
  int64_t base = 0;
  SmallVector<int64_t> steps;
  bool linear = false;
};

/// The loops of a linalg operation.
class LoopNest {
public:
  LoopNest(Evaluator &evaluator, linalg::LinalgOp op)
      : evaluator(evaluator), op(op) {}

  LogicalResult run();

private:
  LogicalResult findExtents();
  LogicalResult makeView(OpOperand &operand, OperandView &view);
  /// Checks the indices of operands that are not linear in the loops.
  LogicalResult checkPoints();
  void chooseLoops();
  /// Runs the loops that `outer` leaves open, at the times of one item.
  void runItem(int64_t item, Registers &registers,
               const ScalarProgram &program);
  void runPoint(ArrayRef<int64_t> index, int64_t count, Registers &registers,
                const ScalarProgram &program);
  /// Offset and step of the elements of a column.
  std::pair<int64_t, int64_t> locate(const OperandView &view,
                                     ArrayRef<int64_t> index) const;

  Evaluator &evaluator;
  linalg::LinalgOp op;
  SmallVector<int64_t> extents;
  SmallVector<OperandView> views;
  SmallVector<Value> results;
  /// The loop whose indices fill a column, or -1.
  int64_t columnLoop = -1;
  /// Loops that threads share, and those that run in order for each item.
  SmallVector<int64_t> shared, ordered;
};

} // namespace

/// Whether `expr` has neither a division nor a remainder.
static bool isLinear(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return true;
  return (expr.getKind() == AffineExprKind::Add ||
          expr.getKind() == AffineExprKind::Mul) &&
         isLinear(binary.getLHS()) && isLinear(binary.getRHS());
}

LogicalResult LoopNest::findExtents() {
  extents.assign(op.getNumLoops(), -1);
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    ValueRef value = evaluator.get(operand.get());
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      int64_t &extent = extents[loop.getPosition()];
      if (extent < 0)
        extent = value->shape[dim];
      if (extent != value->shape[dim])
        return op->emitOpError()
               << "operand " << operand.getOperandNumber() << " has the extent "
               << value->shape[dim] << " in dimension " << dim
               << " at run time, expected " << extent << ", that of loop "
               << loop.getPosition();
    }
  }
  for (auto [loop, extent] : llvm::enumerate(extents))
    if (extent < 0)
      return op->emitOpError()
             << "no operand shows the extent of loop " << loop;
  return success();
}

LogicalResult LoopNest::makeView(OpOperand &operand, OperandView &view) {
  view.value = evaluator.get(operand.get());
  view.map = op.getMatchingIndexingMap(&operand);
  view.steps.assign(extents.size(), 0);
  if (view.map.getNumSymbols() != 0)
    return op->emitError() << "the interpreter does not know maps with symbols";
  view.linear = llvm::all_of(view.map.getResults(), isLinear);
  bool empty = llvm::is_contained(extents, 0);
  int64_t stride = 1;
  SmallVector<int64_t> zeros(extents.size(), 0);
  for (int64_t dim = view.value->rank() - 1; view.linear && dim >= 0; --dim) {
    AffineExpr expr = view.map.getResult(dim);
    int64_t base = evaluateAt(expr, zeros);
    int64_t low = base, high = base;
    view.base += base * stride;
    for (auto [loop, extent] : llvm::enumerate(extents)) {
      SmallVector<int64_t> unit(zeros);
      unit[loop] = 1;
      int64_t step = evaluateAt(expr, unit) - base;
      view.steps[loop] += step * stride;
      (step < 0 ? low : high) += step * (extent - 1);
    }
    if (!empty && (low < 0 || high >= view.value->shape[dim]))
      return op->emitOpError()
             << "reads indices " << low << " to " << high << " of dimension "
             << dim << " of operand " << operand.getOperandNumber()
             << ", expected 0 to " << view.value->shape[dim] - 1;
    stride *= view.value->shape[dim];
  }
  return success();
}

LogicalResult LoopNest::checkPoints() {
  SmallVector<int64_t> index(extents.size(), 0);
  while (true) {
    for (auto [i, view] : llvm::enumerate(views)) {
      for (auto [dim, expr] : llvm::enumerate(view.map.getResults())) {
        int64_t position = evaluateAt(expr, index);
        if (position < 0 || position >= view.value->shape[dim])
          return op->emitOpError()
                 << "reads index " << position << " of dimension " << dim
                 << " of operand " << i << ", expected 0 to "
                 << view.value->shape[dim] - 1;
      }
    }
    int64_t loop = extents.size() - 1;
    while (loop >= 0 && ++index[loop] == extents[loop])
      index[loop--] = 0;
    if (loop < 0)
      return success();
  }
}

void LoopNest::chooseLoops() {
  // Iterations of a loop touch different results if every result has the loop
  // as one of its indices.
  auto isDisjoint = [&](int64_t loop) {
    if (op.getIteratorTypesArray()[loop] != utils::IteratorType::parallel)
      return false;
    return llvm::all_of(ArrayRef(views).take_back(results.size()),
                        [&](const OperandView &view) {
                          return view.linear &&
                                 llvm::is_contained(
                                     view.map.getResults(),
                                     getAffineDimExpr(loop, op->getContext()));
                        });
  };
  auto numLoops = static_cast<int64_t>(extents.size());
  bool anyNonlinear =
      llvm::any_of(views, [](const OperandView &view) { return !view.linear; });
  for (int64_t loop = numLoops - 1; loop >= 0 && !anyNonlinear; --loop)
    if (isDisjoint(loop) &&
        (columnLoop < 0 || extents[columnLoop] < ScalarProgram::kWidth / 4))
      if (columnLoop < 0 || extents[loop] > extents[columnLoop])
        columnLoop = loop;
  for (int64_t loop = 0; loop < numLoops; ++loop) {
    if (loop == columnLoop)
      continue;
    (isDisjoint(loop) ? shared : ordered).push_back(loop);
  }
}

std::pair<int64_t, int64_t> LoopNest::locate(const OperandView &view,
                                             ArrayRef<int64_t> index) const {
  if (view.linear) {
    int64_t offset = view.base;
    for (auto [i, coefficient] : llvm::zip(index, view.steps))
      offset += i * coefficient;
    return {offset, columnLoop >= 0 ? view.steps[columnLoop] : 0};
  }
  int64_t offset = 0;
  for (auto [expr, extent] :
       llvm::zip(view.map.getResults(), view.value->shape))
    offset = offset * extent + evaluateAt(expr, index);
  return {offset, 0};
}

void LoopNest::runPoint(ArrayRef<int64_t> index, int64_t count,
                        Registers &registers, const ScalarProgram &program) {
  int64_t numInputs = views.size() - results.size();
  for (auto [i, view] : llvm::enumerate(views)) {
    if (!program.isUsed(i))
      continue;
    int64_t number = i;
    // Results hold what earlier points have left.
    const Value &source =
        number < numInputs ? *view.value : results[number - numInputs];
    auto [offset, step] = locate(view, index);
    load(registers[program.input(i)], source, offset, step, count);
  }
  for (auto [loop, reg] : program.getIndices())
    for (int64_t k = 0; k < count; ++k)
      registers[reg].integers[k] = index[loop] + (loop == columnLoop ? k : 0);
  registers.run(count);
  for (auto [i, output] : llvm::enumerate(program.getOutputs())) {
    auto [offset, step] = locate(views[numInputs + i], index);
    store(registers[output], results[i], offset, step, count);
  }
}

void LoopNest::runItem(int64_t item, Registers &registers,
                       const ScalarProgram &program) {
  SmallVector<int64_t> index(extents.size(), 0);
  int64_t count = 1;
  if (columnLoop >= 0) {
    constexpr int64_t width = ScalarProgram::kWidth;
    int64_t columns = llvm::divideCeil(extents[columnLoop], width);
    index[columnLoop] = item % columns * width;
    count = std::min(width, extents[columnLoop] - index[columnLoop]);
    item /= columns;
  }
  for (int64_t loop : llvm::reverse(shared)) {
    index[loop] = item % extents[loop];
    item /= extents[loop];
  }
  while (true) {
    runPoint(index, count, registers, program);
    // The next point, in lexicographic order.
    int64_t position = ordered.size() - 1;
    while (position >= 0 &&
           ++index[ordered[position]] == extents[ordered[position]])
      index[ordered[position--]] = 0;
    if (position < 0)
      return;
  }
}

LogicalResult LoopNest::run() {
  if (!op.hasPureTensorSemantics())
    return op->emitError()
           << "the interpreter knows linalg operations on tensors only";
  if (failed(findExtents()))
    return failure();
  for (OpOperand &operand : op->getOpOperands())
    if (failed(makeView(operand, views.emplace_back())))
      return failure();
  for (OpOperand &init : op.getDpsInitsMutable())
    results.push_back(*evaluator.get(init.get()));

  FailureOr<ScalarProgram> program =
      ScalarProgram::compile(op->getRegion(0).front(), [&](mlir::Value value) {
        return evaluator.find(value);
      });
  if (failed(program))
    return failure();
  chooseLoops();
  int64_t items = 1;
  double cost = (program->cost() + views.size()) * ScalarProgram::kWidth;
  if (columnLoop >= 0)
    items = llvm::divideCeil(extents[columnLoop], ScalarProgram::kWidth);
  for (int64_t loop : shared)
    items *= extents[loop];
  for (int64_t loop : ordered)
    cost *= extents[loop];
  if (llvm::is_contained(extents, 0))
    items = 0;

  // An index that is not linear in the loops is checked at every point first.
  if (items > 0 && llvm::any_of(views, [](auto &view) { return !view.linear; }))
    if (failed(checkPoints()))
      return failure();

  ErrorCollector errors;
  parallelFor(evaluator.threads(), items, cost, [&] {
    auto registers = std::make_shared<Registers>(*program);
    return [&, registers](int64_t item) {
      runItem(item, *registers, *program);
      errors.collect(*registers);
    };
  });
  if (failed(errors.report()))
    return failure();
  for (auto [result, value] : llvm::zip(op->getResults(), results))
    if (failed(evaluator.set(result, std::move(value))))
      return failure();
  return success();
}

/// exp(x - max) / sum, along one dimension.
static LogicalResult evaluateSoftmax(Evaluator &evaluator,
                                     linalg::SoftmaxOp op) {
  Value result = *evaluator.get(op.getInput());
  if (result.kind != Kind::Real || op->getNumResults() != 1)
    return op->emitError()
           << "the interpreter knows linalg.softmax on tensors of floats only";
  auto dim = static_cast<int64_t>(op.getDimension());
  int64_t inner = 1, extent = result.shape[dim];
  for (int64_t d = dim + 1; d < result.rank(); ++d)
    inner *= result.shape[d];
  for (int64_t row = 0; row < result.numElements(); ++row) {
    if (row / inner % extent != 0)
      continue;
    double largest = -INFINITY, sum = 0;
    for (int64_t i = 0; i < extent; ++i)
      largest = std::max(largest, result.reals[row + i * inner]);
    for (int64_t i = 0; i < extent; ++i)
      sum += result.reals[row + i * inner] =
          std::exp(result.reals[row + i * inner] - largest);
    for (int64_t i = 0; i < extent; ++i)
      result.reals[row + i * inner] /= sum;
  }
  return evaluator.set(op->getResult(0), std::move(result));
}

LogicalResult evaluateLinalg(Evaluator &evaluator, Operation *op) {
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
    return evaluateSoftmax(evaluator, softmax);
  return LoopNest(evaluator, cast<linalg::LinalgOp>(op)).run();
}

} // namespace hyena::interp
