//===- Stages.cpp - The forms of a program as text ------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stages.h"

#include "hyena/Execution/Program.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace ::hyena::capi;

namespace {

/// Writes remarks as lines of text:
/// `file:line:column: missed: text; reason: ...; suggestion: ...`.
class RemarkLines : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit RemarkLines(std::string &lines) : lines(lines) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    std::string line;
    llvm::raw_string_ostream os(line);
    if (auto place = remark.getLocation()->findInstanceOf<FileLineColLoc>())
      os << place.getFilename().getValue() << ":" << place.getLine() << ":"
         << place.getColumn() << ": ";
    os << remark.getCategoryName() << ": " << remark.getRemarkTypeString()
       << ": ";
    std::string details;
    for (const remark::detail::Remark::Arg &arg : remark.getArgs()) {
      if (arg.key == "Remark")
        os << arg.val;
      else
        details += "; " + StringRef(arg.key).lower() + ": " + arg.val;
    }
    os << details;
    // One line each, whatever a pass writes.
    std::replace(line.begin(), line.end(), '\n', ' ');
    lines += line + "\n";
  }

private:
  std::string &lines;
};

} // namespace

Stages::Stages(std::unique_ptr<mlir::hyena::Source> source)
    : source(std::move(source)) {}

Stages::~Stages() = default;

Outcome Stages::make(const std::string &stage, std::string &text) {
  std::optional<mlir::hyena::Stage> kind = mlir::hyena::parseStage(stage);
  if (!kind)
    return Outcome::invalid("stage '" + stage +
                            "' is not one of graph, fused, exec, llvm");
  std::string error;
  llvm::raw_string_ostream os(text);
  if (failed(mlir::hyena::printStage(*source, *kind, /*fuse=*/true, os, error)))
    return Outcome::invalid(std::move(error));
  return {};
}

Outcome Stages::text(const std::string &stage, const char *&text) {
  std::lock_guard<std::mutex> lock(mutex);
  auto [entry, isNew] = texts.try_emplace(stage);
  if (isNew) {
    if (Outcome outcome = make(stage, entry->second); !outcome) {
      texts.erase(entry);
      return outcome;
    }
  }
  text = entry->second.c_str();
  return {};
}

Outcome Stages::remarks(const char *&text) {
  std::lock_guard<std::mutex> lock(mutex);
  MLIRContext &context = source->getContext();
  if (!context.getRemarkEngine()) {
    // Only this run is listened to: the later stages would say it again.
    remark::RemarkCategories all;
    all.all = all.passed = all.missed = all.analysis = all.failed = ".*";
    if (failed(remark::enableOptimizationRemarks(
            context, std::make_unique<RemarkLines>(remarkLines),
            std::make_unique<remark::RemarkEmittingPolicyAll>(), all)))
      return Outcome::internal("remarks cannot be collected");
    std::string fused;
    if (Outcome outcome = make("fused", fused); !outcome)
      return outcome;
    kept = remarkLines;
  }
  text = kept.c_str();
  return {};
}
