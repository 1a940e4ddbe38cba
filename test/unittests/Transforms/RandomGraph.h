//===- RandomGraph.h - graphs that nobody would write -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_TEST_UNITTESTS_TRANSFORMS_RANDOMGRAPH_H
#define HYENA_TEST_UNITTESTS_TRANSFORMS_RANDOMGRAPH_H

#include "hyena/Interpreter/Value.h"

#include <cstdint>
#include <string>
#include <vector>

/// Numbers that follow from a seed on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 2 + 1) {}
  /// 0 ... count-1.
  int64_t below(int64_t count);
  bool chance(int percent) { return below(100) < percent; }
  /// -1 ... 1.
  double number();

private:
  uint64_t next();
  uint64_t state;
};

/// A program with one function `f`, and arguments for it.
struct RandomGraph {
  std::string text;
  std::vector<hyena::interp::Value> arguments;
  /// The signal's length is not known at compile time.
  bool hasDynamicLength;
};

/// A function of a few streams with convolutions, short and long, and pointwise
/// operations, views, cuts, pads, masks and reductions between them, wherever
/// the types fit.
RandomGraph makeRandomGraph(uint64_t seed);

#endif // HYENA_TEST_UNITTESTS_TRANSFORMS_RANDOMGRAPH_H
