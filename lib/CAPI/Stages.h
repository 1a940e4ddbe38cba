//===- Stages.h - The forms of a program as text ----------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_CAPI_STAGES_H
#define HYENA_LIB_CAPI_STAGES_H

#include "Values.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace hyena::capi {

/// Shows a source at its stages. Everything is made when it is asked for, from
/// a copy of its own: a program that runs is not touched. May be used from
/// several threads at once.
class Stages {
public:
  explicit Stages(std::unique_ptr<mlir::hyena::Source> source);
  ~Stages();

  /// The program at stage `graph`, `fused`, `exec` or `llvm`. The text lives as
  /// long as this object.
  Outcome text(const std::string &stage, const char *&text);

  /// What the passes up to the fused form remarked, one a line.
  Outcome remarks(const char *&text);

private:
  Outcome make(const std::string &stage, std::string &text);

  std::mutex mutex;
  /// What the context writes to until it ends (hence declared before the
  /// source), and that as it was after the passes ran once.
  std::string remarkLines, kept;
  std::unique_ptr<mlir::hyena::Source> source;
  std::map<std::string, std::string> texts;
};

} // namespace hyena::capi

#endif // HYENA_LIB_CAPI_STAGES_H
