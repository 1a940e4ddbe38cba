//===- ConvolutionOps.cpp - hyena's convolutions and filters --------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Filters.h"
#include "Parallel.h"

#include <algorithm>
#include <cmath>

namespace hyena::interp {

using namespace mlir;
using mlir::failure;
namespace dialect = mlir::hyena;

LagTable makeLagTable(const dialect::FilterSpec &spec, const Value &filter,
                      const Value *reverse, int64_t group, int64_t length) {
  std::vector<double> weights(2 * length - 1, 0.0);
  LagTable table = {1 - length, std::move(weights)};
  int64_t low = table.lowest, high = table.highest();
  auto add = [&](int64_t lag, double weight) {
    if (lag >= low && lag <= high)
      table.add(lag, weight);
  };
  for (int64_t k = 0; k < spec.taps; ++k) {
    bool reversed = spec.tapOrder == dialect::TapOrder::NewestLast;
    double weight =
        filter.reals[group * spec.taps + (reversed ? spec.taps - 1 - k : k)];
    switch (spec.mode) {
    case dialect::ConvMode::Causal:
    case dialect::ConvMode::Bidirectional:
      add(k, weight);
      break;
    case dialect::ConvMode::NonCausal:
      add(k - spec.lag0, weight);
      break;
    case dialect::ConvMode::Circular: {
      // u[(n - lag) mod L] is u[n - lag] or u[n - (lag - L)], of which one lies
      // within the signal.
      int64_t lag = ((k - spec.lag0) % length + length) % length;
      add(lag, weight);
      add(lag - length, weight);
      break;
    }
    }
  }
  for (int64_t j = 0; reverse && j < spec.reverseTaps; ++j)
    add(-(j + 1), reverse->reals[group * spec.reverseTaps + j]);

  // Zeros at the ends only cost time.
  std::vector<double> &all = table.weights;
  auto isSet = [](double weight) { return weight != 0; };
  auto begin = std::find_if(all.begin(), all.end(), isSet);
  auto end = std::find_if(all.rbegin(), all.rend(), isSet).base();
  if (begin >= end)
    return {0, {0.0}};
  table.lowest += begin - all.begin();
  all = std::vector<double>(begin, end);
  return table;
}

static LogicalResult evaluateShortConv(Evaluator &evaluator,
                                       dialect::ShortConvOp op) {
  ValueRef input = evaluator.get(op.getInput());
  ValueRef weight = evaluator.get(op.getWeight());
  ValueRef bias = op.getBias() ? evaluator.get(op.getBias()) : nullptr;
  int64_t timeDim = op.getLayout() == dialect::Layout::ChannelsFirst ? 2 : 1;
  int64_t groups = weight->shape[0], taps = weight->shape[1];
  int64_t length = input->shape[timeDim], low = 0, outputs = length;
  switch (op.getPadding()) {
  case dialect::Padding::Causal:
    low = taps - 1;
    break;
  case dialect::Padding::Same:
    low = taps / 2;
    break;
  case dialect::Padding::Explicit:
    low = op.getPadLow().value_or(0);
    outputs = length + low + op.getPadHigh().value_or(0) - taps + 1;
  }
  if (outputs < 1)
    return op.emitOpError() << "C6: the result has the length " << outputs
                            << ", expected 1 at least";
  SmallVector<int64_t> shape = llvm::to_vector(input->shape);
  shape[timeDim] = outputs;
  FailureOr<Value> result = evaluator.allocate(op, op.getType(), shape);
  if (failed(result))
    return failure();

  RowView in(input->shape, timeDim), out(shape, timeDim);
  std::vector<LagTable> tables(groups);
  for (int64_t g = 0; g < groups; ++g) {
    // The weight of tap k acts at lag low - k.
    tables[g].lowest = low - taps + 1;
    tables[g].weights.resize(taps);
    bool reversed = op.getTapOrder() == dialect::TapOrder::Lag0First;
    for (int64_t k = 0; k < taps; ++k)
      tables[g].add(low - k,
                    weight->reals[g * taps + (reversed ? taps - 1 - k : k)]);
  }
  parallelFor(evaluator.threads(), shape[0] * in.channels,
              static_cast<double>(length) * (taps + 2), [&] {
                return [&](int64_t row) {
                  int64_t b = row / in.channels, c = row % in.channels;
                  std::vector<double> u(length),
                      y(outputs, bias ? bias->reals[c] : 0.0);
                  const double *from = input->reals.data() + in.offset(b, c);
                  for (int64_t n = 0; n < length; ++n)
                    u[n] = from[n * in.timeStride];
                  convolve(u.data(), length, tables[c / (in.channels / groups)],
                           y.data(), outputs);
                  double *to = result->reals.data() + out.offset(b, c);
                  for (int64_t n = 0; n < outputs; ++n)
                    to[n * out.timeStride] = y[n];
                };
              });
  return evaluator.set(op.getResult(), std::move(*result));
}

static LogicalResult evaluateFFTConv(Evaluator &evaluator,
                                     dialect::FFTConvOp op) {
  ValueRef input = evaluator.get(op.getInput());
  ValueRef filter = evaluator.get(op.getFilter());
  ValueRef reverse = op.getReverse() ? evaluator.get(op.getReverse()) : nullptr;
  ValueRef skip = op.getSkip() ? evaluator.get(op.getSkip()) : nullptr;
  int64_t timeDim = op.getLayout() == dialect::Layout::ChannelsFirst ? 2 : 1;
  RowView rows(input->shape, timeDim);
  int64_t length = rows.length, groups = filter->shape[0];
  auto spec = dialect::FilterSpec::get(op);
  if (length < 1)
    return op.emitOpError() << "C1: the signal has no samples at run time, "
                               "expected 1 at least";
  if (spec.mode == dialect::ConvMode::Circular && spec.taps > length)
    return op.emitOpError() << "C7: the circular filter has " << spec.taps
                            << " taps, expected no more than the " << length
                            << " samples of the signal";
  bool sampled = evaluator.sampling().isSampled(op);
  std::vector<int64_t> times =
      sampleTimes(length, sampled ? evaluator.timeSamples() : length);
  sampled = static_cast<int64_t>(times.size()) < length;
  FailureOr<Value> result = evaluator.allocate(op, op.getType(), input->shape,
                                               /*unset=*/sampled);
  if (failed(result))
    return failure();

  std::vector<LagTable> tables;
  tables.reserve(groups);
  for (int64_t g = 0; g < groups; ++g)
    tables.push_back(makeLagTable(spec, *filter, reverse.get(), g, length));
  double cost = static_cast<double>(times.size()) * length;
  parallelFor(evaluator.threads(), input->shape[0] * rows.channels, cost, [&] {
    return [&](int64_t row) {
      int64_t b = row / rows.channels, c = row % rows.channels;
      const LagTable &table = tables[c / (rows.channels / groups)];
      double weight =
          skip ? skip->reals[c / (rows.channels / skip->shape[0])] : 0.0;
      std::vector<double> u(length), y(length);
      const double *from = input->reals.data() + rows.offset(b, c);
      double *to = result->reals.data() + rows.offset(b, c);
      for (int64_t n = 0; n < length; ++n)
        u[n] = from[n * rows.timeStride];
      if (!sampled)
        convolve(u.data(), length, table, y.data(), length);
      for (int64_t n : times) {
        double sum = sampled ? convolveAt(u.data(), length, table, n) : y[n];
        to[n * rows.timeStride] = skip ? sum + weight * u[n] : sum;
      }
    };
  });
  return evaluator.set(op.getResult(), std::move(*result));
}

static LogicalResult evaluateModalFilter(Evaluator &evaluator,
                                         dialect::ModalFilterOp op) {
  using Wide = long double;
  ValueRef poles = evaluator.get(op.getPoles());
  ValueRef residues = evaluator.get(op.getResidues());
  if (poles->shape != residues->shape)
    return op.emitOpError()
           << "poles and residues have the shapes " << shapeText(poles->shape)
           << " and " << shapeText(residues->shape)
           << " at run time, expected one";
  int64_t channels = poles->shape[0], states = poles->shape[1];
  int64_t length = op.getLength();
  FailureOr<Value> result =
      evaluator.allocate(op, op.getType(), {channels, length});
  if (failed(result))
    return failure();
  bool isLog = op.getForm() == dialect::ModalForm::LogPole;
  auto partsOf = [](const Value &value, int64_t i) -> std::pair<Wide, Wide> {
    if (value.kind == Kind::Real)
      return {value.reals[i], 0};
    return {value.complexes[i].real(), value.complexes[i].imag()};
  };
  parallelFor(evaluator.threads(), channels, 8.0 * states * length, [&] {
    return [&](int64_t c) {
      for (int64_t s = 0; s < states; ++s) {
        auto [re, im] = partsOf(*poles, c * states + s);
        if (isLog) {
          Wide size = std::exp(re), angle = im;
          re = size * std::cos(angle);
          im = size * std::sin(angle);
        }
        // R p^t, one multiplication a step. The digits that long double has
        // beyond double make up for their rounding.
        auto [termRe, termIm] = partsOf(*residues, c * states + s);
        for (int64_t t = 0; t < length; ++t) {
          result->reals[c * length + t] += static_cast<double>(termRe);
          Wide next = termRe * re - termIm * im;
          termIm = termRe * im + termIm * re;
          termRe = next;
        }
      }
    };
  });
  return evaluator.set(op.getResult(), std::move(*result));
}

void addConvolutionHandlers(HandlerTable &table) {
  table.add<dialect::ShortConvOp>(evaluateShortConv);
  table.add<dialect::FFTConvOp>(evaluateFFTConv);
  table.add<dialect::ModalFilterOp>(evaluateModalFilter);
}

} // namespace hyena::interp
