//===- Options.h - The command line of hyena-run --------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_TOOLS_HYENA_RUN_OPTIONS_H
#define HYENA_TOOLS_HYENA_RUN_OPTIONS_H

#include "hyena-c/Runtime.h"

#include <string>
#include <vector>

namespace mlir::hyena::run {

/// What the command line asks for.
struct Options {
  std::string inputFile;
  std::string entry;
  std::string target = "cpu";
  std::string argumentFile;
  std::string outputFile;
  std::string check;
  std::string dumpIR;
  int64_t seed = 0;
  int64_t extent = 2;
  int64_t samples = 256;
  int64_t bench = 0;
  int64_t threads = HYENA_THREADS_DEFAULT;
  bool unfused = false;
  bool json = false;
  bool help = false;
};

/// Reads a command line, without the program's name. LLVM's own options are
/// not among these: a library that the tool links owns some of the names. On
/// failure returns false and puts one message into `error`.
bool parseOptions(const std::vector<std::string> &arguments, Options &options,
                  std::string &error);

/// The text for --help.
std::string getHelp();

} // namespace mlir::hyena::run

#endif // HYENA_TOOLS_HYENA_RUN_OPTIONS_H
