//===- Report.cpp - What a run has shown ----------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::hyena::run;

std::optional<double> Report::getRelativeL2() const {
  std::optional<double> largest;
  for (const Result &result : results)
    if (result.difference)
      largest = std::max(largest.value_or(0), result.difference->relativeL2);
  return largest;
}

std::optional<double> Report::getMaxAbs() const {
  std::optional<double> largest;
  for (const Result &result : results)
    if (result.difference)
      largest = std::max(largest.value_or(0), result.difference->maxAbs);
  return largest;
}

/// JSON has no infinity.
static llvm::json::Value number(std::optional<double> value) {
  if (!value)
    return nullptr;
  return std::isfinite(*value) ? *value : std::numeric_limits<double>::max();
}

void Report::printJSON(llvm::raw_ostream &os) const {
  llvm::json::Array kernelList, resultList;
  for (const Program::Kernel &kernel : kernels)
    kernelList.push_back(
        llvm::json::Object{{"name", kernel.name}, {"kind", kernel.kind}});
  for (const Result &result : results) {
    llvm::json::Object object{{"name", result.name},
                              {"type", result.type},
                              {"shape", llvm::json::Array(result.shape)}};
    if (result.difference) {
      object["rel_l2"] = number(result.difference->relativeL2);
      object["max_abs"] = number(result.difference->maxAbs);
      object["max_over_rms"] = number(result.difference->maxOverRms);
      object["compared"] = result.difference->elements;
    }
    resultList.push_back(std::move(object));
  }
  llvm::json::Object object{{"entry", entry},
                            {"target", target},
                            {"rel_l2", number(getRelativeL2())},
                            {"max_abs", number(getMaxAbs())},
                            {"median_us", medianMicroseconds},
                            {"calls", calls},
                            {"prepare_us", prepareMicroseconds},
                            {"workspace_bytes", workspaceBytes},
                            {"kernels", std::move(kernelList)},
                            {"results", std::move(resultList)}};
  if (runtime) {
    object["threads"] = runtime->threads;
    object["gemm_library"] = runtime->gemmLibrary;
    object["gemm_kernel"] = runtime->gemmKernel;
  }
  os << llvm::json::Value(std::move(object)) << '\n';
}

void Report::printText(llvm::raw_ostream &os) const {
  os << "@" << entry << " on " << target;
  if (runtime)
    os << ", " << runtime->threads
       << (runtime->threads == 1 ? " thread" : " threads")
       << ", matrix products by " << runtime->gemmLibrary << " ("
       << runtime->gemmKernel << ")";
  os << '\n';
  for (const Result &result : results) {
    os << "  " << result.name << ": " << result.type << " (";
    llvm::interleaveComma(result.shape, os);
    os << ")";
    if (result.difference)
      os << ", against the interpreter at " << result.difference->elements
         << " elements: relative L2 "
         << llvm::format("%.2e", result.difference->relativeL2) << ", largest "
         << llvm::format("%.2e", result.difference->maxAbs);
    os << '\n';
  }
  os << "  time: " << llvm::format("%.1f", medianMicroseconds) << " us"
     << (calls > 1 ? " (median of " + std::to_string(calls) + ")" : "");
  if (prepareMicroseconds > 0)
    os << ", parameters once: " << llvm::format("%.1f", prepareMicroseconds)
       << " us";
  os << '\n';
  if (!kernels.empty()) {
    os << "  workspace: " << workspaceBytes << " bytes\n  kernels:\n";
    for (const Program::Kernel &kernel : kernels)
      os << "    " << kernel.kind << "  " << kernel.name << '\n';
  }
}
