//===- Report.h - What a run has shown ------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_TOOLS_HYENA_RUN_REPORT_H
#define HYENA_TOOLS_HYENA_RUN_REPORT_H

#include "hyena/Execution/Program.h"
#include "hyena/Interpreter/Value.h"

#include <optional>

namespace mlir::hyena::run {

/// Everything that a run reports.
struct Report {
  struct Result {
    std::string name;
    std::string type;
    std::vector<int64_t> shape;
    std::optional<::hyena::interp::Difference> difference;
  };

  std::string entry, target;
  std::vector<Result> results;
  /// Median of the timed calls, in microseconds.
  double medianMicroseconds = 0;
  int64_t calls = 0;
  /// Time of the parameters' part, once, in microseconds.
  double prepareMicroseconds = 0;
  int64_t workspaceBytes = 0;
  std::vector<Program::Kernel> kernels;
  /// Only for the CPU.
  std::optional<HyenaContextInfo> runtime;

  /// Largest relative difference of all results; nothing if none was compared.
  std::optional<double> getRelativeL2() const;
  std::optional<double> getMaxAbs() const;

  /// One JSON object on one line. A difference that is no finite number is
  /// printed as the largest one.
  void printJSON(llvm::raw_ostream &os) const;
  /// The same for people.
  void printText(llvm::raw_ostream &os) const;
};

} // namespace mlir::hyena::run

#endif // HYENA_TOOLS_HYENA_RUN_REPORT_H
