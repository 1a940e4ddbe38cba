//===- Indexing.h - operations that move elements ---------------*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_INTERPRETER_INDEXING_H
#define HYENA_LIB_INTERPRETER_INDEXING_H

#include "Evaluator.h"

namespace hyena::interp {

/// destination[to] = source[from]; the kinds must be the same.
inline void copyElement(const Value &source, int64_t from, Value &destination,
                        int64_t to) {
  switch (source.kind) {
  case Kind::Real:
    destination.reals[to] = source.reals[from];
    break;
  case Kind::Complex:
    destination.complexes[to] = source.complexes[from];
    break;
  case Kind::Integer:
    destination.integers[to] = source.integers[from];
  }
}

/// Calls `fn(index, offset)` for every element of `shape`, row-major.
template <typename Fn> void forEachIndex(llvm::ArrayRef<int64_t> shape, Fn fn) {
  if (llvm::is_contained(shape, 0))
    return;
  llvm::SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t offset = 0;; ++offset) {
    fn(llvm::ArrayRef<int64_t>(index), offset);
    int64_t dim = static_cast<int64_t>(shape.size()) - 1;
    while (dim >= 0 && ++index[dim] == shape[dim])
      index[dim--] = 0;
    if (dim < 0)
      return;
  }
}

/// Sets every element of `result` from one of `source`: `from(index)` is the
/// offset in the source, or -1 to leave the element as it is.
template <typename Fn>
void gather(const Value &source, Value &result, Fn from) {
  forEachIndex(result.shape, [&](llvm::ArrayRef<int64_t> index, int64_t to) {
    int64_t offset = from(index);
    if (offset >= 0)
      copyElement(source, offset, result, to);
  });
}

/// Row-major offset of `index` in `shape`.
inline int64_t offsetIn(llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<int64_t> index) {
  int64_t offset = 0;
  for (auto [extent, i] : llvm::zip(shape, index))
    offset = offset * extent + i;
  return offset;
}

/// Sets the elements of `result` for whose index `wanted` holds to what `block`
/// yields; its arguments are the indices.
mlir::LogicalResult
generate(Evaluator &evaluator, mlir::Operation *op, mlir::Block &block,
         Value &result,
         llvm::function_ref<bool(llvm::ArrayRef<int64_t>)> wanted);

} // namespace hyena::interp

#endif // HYENA_LIB_INTERPRETER_INDEXING_H
