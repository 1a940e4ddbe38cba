//===- FusedOps.cpp - hyena's fused convolutions --------------------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AffineValue.h"
#include "Filters.h"
#include "Parallel.h"

#include <algorithm>

namespace hyena::interp {

using namespace mlir;
using mlir::failure;
using mlir::success;
namespace dialect = mlir::hyena;

/// Fails if the factors do not make the length, which the spectrum's order
/// rests on.
static LogicalResult checkPlan(Operation *op, dialect::FFTPlanAttr plan) {
  int64_t product = 1;
  for (int64_t factor : plan.getFactors())
    product *= factor;
  if (product == plan.getLength())
    return success();
  return op->emitOpError() << "the plan's factors have the product " << product
                           << ", expected its length " << plan.getLength();
}

//===----------------------------------------------------------------------===//
// pack_filter
//===----------------------------------------------------------------------===//

static LogicalResult evaluatePackFilter(Evaluator &evaluator,
                                        dialect::PackFilterOp op) {
  dialect::FFTPlanAttr plan = op.getPlan();
  if (failed(checkPlan(op, plan)))
    return failure();
  ValueRef filter = evaluator.get(op.getFilter());
  ValueRef reverse = op.getReverse() ? evaluator.get(op.getReverse()) : nullptr;
  int64_t size = plan.getLength(), lanes = plan.getLanes();
  int64_t channels = op.getChannels(), groups = filter->shape[0];
  auto spec = dialect::FilterSpec::get(op);
  FailureOr<Value> result =
      evaluator.allocate(op, op.getType(), op.getType().getShape());
  if (failed(result))
    return failure();
  std::vector<std::complex<double>> roots = unitRoots(size);
  // exp(i pi n / 2M) is one of 4M points on the unit circle.
  std::vector<std::complex<double>> twists = unitRoots(4 * size);
  std::vector<int64_t> order = spectrumOrder(plan.getFactors().vec());

  parallelFor(
      evaluator.threads(), llvm::divideCeil(channels, lanes),
      4.0 * lanes * size * size, [&] {
        return [&](int64_t q) {
          int64_t count = std::min(lanes, channels - q * lanes);
          Lanes z(size, count), spectrum(size, count);
          for (int64_t j = 0; j < count; ++j) {
            int64_t group = (q * lanes + j) / (channels / groups);
            LagTable table = makeLagTable(spec, *filter, reverse.get(), group,
                                          op.getSignalLength());
            std::vector<double> circle(2 * size);
            for (int64_t lag = table.lowest; lag <= table.highest(); ++lag) {
              double weight = table.weights[lag - table.lowest];
              if (lag >= 0)
                circle[lag] += weight;
              else
                circle[2 * size + lag] -= weight;
            }
            for (int64_t n = 0; n < size; ++n) {
              std::complex<double> value =
                  std::complex<double>(circle[n], circle[n + size]) * twists[n];
              z.re[n * count + j] = value.real();
              z.im[n * count + j] = value.imag();
            }
          }
          transform(z, spectrum, 0, size, roots, /*forward=*/true,
                    /*realInput=*/false);
          auto scale = static_cast<double>(size);
          for (int64_t position = 0; position < size; ++position) {
            double *to =
                result->reals.data() + (q * size + position) * 2 * lanes;
            for (int64_t j = 0; j < count; ++j) {
              to[j] = spectrum.re[order[position] * count + j] / scale;
              to[lanes + j] = spectrum.im[order[position] * count + j] / scale;
            }
          }
        };
      });
  return evaluator.set(op.getSpectrum(), std::move(*result));
}

/// The weights at all lags between -(length-1) and length-1 of the filter of
/// each channel: the inverse of the above. A convolution on a circle of 2M
/// points with sign has them, whatever the spectrum is.
static std::vector<LagTable> unpackSpectrum(Evaluator &evaluator,
                                            const Value &packed,
                                            dialect::FFTPlanAttr plan,
                                            int64_t channels, int64_t length) {
  int64_t size = plan.getLength(), lanes = plan.getLanes();
  std::vector<std::complex<double>> roots = unitRoots(size);
  // exp(i pi n / 2M) is one of 4M points on the unit circle.
  std::vector<std::complex<double>> twists = unitRoots(4 * size);
  std::vector<int64_t> order = spectrumOrder(plan.getFactors().vec());
  std::vector<LagTable> tables(channels);
  parallelFor(
      evaluator.threads(), llvm::divideCeil(channels, lanes),
      4.0 * lanes * size * size, [&] {
        return [&](int64_t q) {
          int64_t count = std::min(lanes, channels - q * lanes);
          Lanes spectrum(size, count), z(size, count);
          for (int64_t position = 0; position < size; ++position) {
            const double *from =
                packed.reals.data() + (q * size + position) * 2 * lanes;
            for (int64_t j = 0; j < count; ++j) {
              spectrum.re[order[position] * count + j] = from[j];
              spectrum.im[order[position] * count + j] = from[lanes + j];
            }
          }
          // The factor 1/M of the inverse is in the spectrum.
          transform(spectrum, z, 0, size, roots, /*forward=*/false,
                    /*realInput=*/false);
          for (int64_t j = 0; j < count; ++j) {
            std::vector<double> circle(2 * size);
            for (int64_t n = 0; n < size; ++n) {
              std::complex<double> value =
                  std::complex<double>(z.re[n * count + j],
                                       z.im[n * count + j]) *
                  std::conj(twists[n]);
              circle[n] = value.real();
              circle[n + size] = value.imag();
            }
            LagTable &table = tables[q * lanes + j];
            table = {1 - length, std::vector<double>(2 * length - 1)};
            for (int64_t lag = 1 - length; lag < length; ++lag)
              table.add(lag, lag >= 0 ? circle[lag] : -circle[2 * size + lag]);
          }
        };
      });
  return tables;
}

//===----------------------------------------------------------------------===//
// fused_conv
//===----------------------------------------------------------------------===//

namespace {

/// Evaluates a fused convolution, row by row: one batch and one channel.
class FusedConvolution {
public:
  FusedConvolution(Evaluator &evaluator, dialect::FusedConvOp op)
      : evaluator(evaluator), op(op) {}

  LogicalResult run();

private:
  LogicalResult findExtents();
  LogicalResult makeFilters();
  /// Loads access `i` at times `begin` ... `begin + count - 1`.
  void loadAccess(int64_t i, int64_t b, int64_t c, int64_t begin, int64_t count,
                  Column &column) const;
  void runRow(int64_t b, int64_t c, Registers &before, Registers &after);

  Evaluator &evaluator;
  // Its accessors are not const.
  mutable dialect::FusedConvOp op;
  int64_t extents[3] = {0, 0, 0};
  SmallVector<ValueRef> inputs;
  std::vector<LagTable> tables;
  std::optional<ScalarProgram> prologue, epilogue;
  SmallVector<Value> results;
  /// Offset of a result is `sum steps[i][d] * (b, c, l)[d]`.
  SmallVector<std::array<int64_t, 3>> resultSteps;
  bool sampled = false;
  std::vector<int64_t> times;
};

} // namespace

LogicalResult FusedConvolution::findExtents() {
  for (int64_t dim = 0; dim < 3; ++dim) {
    extents[dim] = op.getDomainExtent(dim);
    AffineExpr wanted = getAffineDimExpr(dim, op.getContext());
    for (int64_t i = 0, e = op.getNumAccesses();
         ShapedType::isDynamic(extents[dim]) && i < e; ++i) {
      dialect::AccessAttr access = op.getAccess(i);
      for (auto [position, expr] :
           llvm::enumerate(access.getMap().getResults()))
        if (expr == wanted)
          extents[dim] = inputs[access.getOperand()]->shape[position];
    }
    if (ShapedType::isDynamic(extents[dim]))
      return op.emitOpError() << "has a dynamic extent that no access shows";
  }
  if (extents[2] < 1)
    return op.emitOpError() << "C9: the length of the domain is " << extents[2]
                            << ", expected 1 at least";
  return success();
}

LogicalResult FusedConvolution::makeFilters() {
  int64_t channels = extents[1], length = extents[2];
  if (op.getSpectrum()) {
    dialect::FFTPlanAttr plan = *op.getPlan();
    if (failed(checkPlan(op, plan)))
      return failure();
    if (2 * plan.getLength() < length)
      return op.emitOpError() << "the plan has length " << plan.getLength()
                              << ", expected " << llvm::divideCeil(length, 2)
                              << " at least for " << length << " samples";
    tables = unpackSpectrum(evaluator, *evaluator.get(op.getSpectrum()), plan,
                            channels, length);
    return success();
  }
  ValueRef filter = evaluator.get(op.getFilter());
  ValueRef reverse = op.getReverse() ? evaluator.get(op.getReverse()) : nullptr;
  auto spec = dialect::FilterSpec::get(op);
  if (spec.mode == dialect::ConvMode::Circular && spec.taps > length)
    return op.emitOpError() << "C7: the circular filter has " << spec.taps
                            << " taps, expected no more than the " << length
                            << " samples of the signal";
  for (int64_t g = 0; g < filter->shape[0]; ++g)
    tables.push_back(makeLagTable(spec, *filter, reverse.get(), g, length));
  return success();
}

void FusedConvolution::loadAccess(int64_t i, int64_t b, int64_t c,
                                  int64_t begin, int64_t count,
                                  Column &column) const {
  dialect::AccessAttr access = op.getAccess(i);
  const Value &source = *inputs[access.getOperand()];
  int64_t index[3] = {b, c, 0};
  int64_t offset = 0, step = 0;
  // Times at which the element lies within the operand.
  int64_t low = begin, high = begin + count;
  for (auto [expr, extent] :
       llvm::zip(access.getMap().getResults(), source.shape)) {
    int64_t position = evaluateAt(expr, index);
    bool hasTime = expr.isFunctionOfDim(2);
    offset = offset * extent + position;
    step = step * extent + hasTime;
    if (hasTime) {
      low = std::max(low, -position);
      high = std::min(high, extent - position);
    } else if (position < 0 || position >= extent) {
      high = low;
    }
  }
  for (auto *part : {&column.re, &column.im})
    std::fill(part->begin(), part->end(), 0.0);
  std::fill(column.integers.begin(), column.integers.end(), 0);
  if (low >= high)
    return;
  if (low == begin) {
    load(column, source, offset + begin * step, step, high - low);
    return;
  }
  for (int64_t l = low; l < high; ++l) {
    int64_t from = offset + l * step, to = l - begin;
    if (source.kind == Kind::Integer) {
      column.integers[to] = source.integers[from];
    } else if (source.kind == Kind::Real) {
      column.re[to] = source.reals[from];
    } else {
      column.re[to] = source.complexes[from].real();
      column.im[to] = source.complexes[from].imag();
    }
  }
}

void FusedConvolution::runRow(int64_t b, int64_t c, Registers &before,
                              Registers &after) {
  constexpr int64_t width = ScalarProgram::kWidth;
  int64_t length = extents[2];
  std::vector<double> u(length), y(length);
  for (int64_t begin = 0; begin < length; begin += width) {
    int64_t count = std::min(width, length - begin);
    for (int64_t i = 0, e = op.getNumAccesses(); i < e; ++i)
      if (prologue->isUsed(i))
        loadAccess(i, b, c, begin, count, before[prologue->input(i)]);
    before.run(count);
    const Column &result = before[prologue->getOutputs()[0]];
    std::copy(result.re.begin(), result.re.begin() + count, u.begin() + begin);
  }

  const LagTable &table =
      tables[c / (extents[1] / static_cast<int64_t>(tables.size()))];
  if (!sampled)
    convolve(u.data(), length, table, y.data(), length);
  else
    for (int64_t n : times)
      y[n] = convolveAt(u.data(), length, table, n);

  // Sampled times one by one, else a column at a time.
  int64_t next = 0;
  for (int64_t begin = 0; begin < length;) {
    int64_t count = std::min(width, length - begin);
    if (sampled) {
      if (next == static_cast<int64_t>(times.size()))
        break;
      begin = times[next++];
      count = 1;
    }
    Column &columnY = after[epilogue->input(0)];
    Column &columnU = after[epilogue->input(1)];
    std::copy_n(y.begin() + begin, count, columnY.re.begin());
    std::copy_n(u.begin() + begin, count, columnU.re.begin());
    for (int64_t i = 0, e = op.getNumAccesses(); i < e; ++i)
      if (epilogue->isUsed(i + 2))
        loadAccess(i, b, c, begin, count, after[epilogue->input(i + 2)]);
    after.run(count);
    for (auto [i, output] : llvm::enumerate(epilogue->getOutputs())) {
      const std::array<int64_t, 3> &steps = resultSteps[i];
      store(after[output], results[i],
            b * steps[0] + c * steps[1] + begin * steps[2], steps[2], count);
    }
    begin += count;
  }
}

LogicalResult FusedConvolution::run() {
  for (mlir::Value input : op.getInputs())
    inputs.push_back(evaluator.get(input));
  if (failed(findExtents()) || failed(makeFilters()))
    return failure();
  auto compile = [](Block &block, std::optional<ScalarProgram> &to) {
    FailureOr<ScalarProgram> program = ScalarProgram::compile(block, nullptr);
    if (succeeded(program))
      to = std::move(*program);
    return success(succeeded(program));
  };
  if (failed(compile(op.getPrologueBlock(), prologue)) ||
      failed(compile(op.getEpilogueBlock(), epilogue)))
    return failure();
  bool mayBeSampled = evaluator.sampling().isSampled(op);
  times = sampleTimes(extents[2],
                      mayBeSampled ? evaluator.timeSamples() : extents[2]);
  sampled = static_cast<int64_t>(times.size()) < extents[2];
  for (int64_t i = 0, e = op.getNumResults(); i < e; ++i) {
    SmallVector<int64_t> shape;
    for (AffineExpr expr : op.getResultMap(i).getResults())
      shape.push_back(extents[cast<AffineDimExpr>(expr).getPosition()]);
    FailureOr<Value> result = evaluator.allocate(op, op.getResult(i).getType(),
                                                 shape, /*unset=*/sampled);
    if (failed(result))
      return failure();
    std::array<int64_t, 3> &steps = resultSteps.emplace_back();
    int64_t stride = 1;
    for (int64_t dim = 2; dim >= 0; --dim) {
      AffineExpr expr = op.getResultMap(i).getResult(dim);
      steps[cast<AffineDimExpr>(expr).getPosition()] = stride;
      stride *= shape[dim];
    }
    results.push_back(std::move(*result));
  }

  ErrorCollector errors;
  double cost = static_cast<double>(times.size()) * extents[2] +
                (prologue->cost() + epilogue->cost()) * extents[2];
  parallelFor(evaluator.threads(), extents[0] * extents[1], cost, [&] {
    auto before = std::make_shared<Registers>(*prologue);
    auto after = std::make_shared<Registers>(*epilogue);
    return [&, before, after](int64_t row) {
      runRow(row / extents[1], row % extents[1], *before, *after);
      errors.collect(*before);
      errors.collect(*after);
    };
  });
  if (failed(errors.report()))
    return failure();
  for (auto [result, value] : llvm::zip(op.getResults(), results))
    if (failed(evaluator.set(result, std::move(value))))
      return failure();
  return success();
}

static LogicalResult evaluateFusedConv(Evaluator &evaluator,
                                       dialect::FusedConvOp op) {
  return FusedConvolution(evaluator, op).run();
}

void addFusedHandlers(HandlerTable &table) {
  table.add<dialect::FusedConvOp>(evaluateFusedConv);
  table.add<dialect::PackFilterOp>(evaluatePackFilter);
}

} // namespace hyena::interp
