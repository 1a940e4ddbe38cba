//===- Filters.h - which weight acts at which lag ---------------*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_INTERPRETER_FILTERS_H
#define HYENA_LIB_INTERPRETER_FILTERS_H

#include "Evaluator.h"
#include "Sums.h"

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

namespace hyena::interp {

/// The weights of filter `group` by lag, for signals of `length` samples: lags
/// beyond +-(length - 1), which never act, are left out. `reverse` may be null.
LagTable makeLagTable(const mlir::hyena::FilterSpec &spec, const Value &filter,
                      const Value *reverse, int64_t group, int64_t length);

/// Samples u[0 ... length-1] of one row of a rank-3 activation whose time is
/// dimension 1 or 2.
class RowView {
public:
  RowView(llvm::ArrayRef<int64_t> shape, int64_t timeDim)
      : channels(shape[3 - timeDim]), length(shape[timeDim]),
        timeStride(timeDim == 2 ? 1 : shape[2]),
        channelStride(timeDim == 2 ? shape[2] : 1) {}

  int64_t offset(int64_t batch, int64_t channel) const {
    return batch * channels * length + channel * channelStride;
  }

  const int64_t channels, length, timeStride, channelStride;
};

} // namespace hyena::interp

#endif // HYENA_LIB_INTERPRETER_FILTERS_H
