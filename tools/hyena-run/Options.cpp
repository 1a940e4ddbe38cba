//===- Options.cpp - The command line of hyena-run ------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include <cerrno>
#include <cstdlib>

using namespace mlir::hyena::run;

namespace {
/// One option. It sets exactly one of the members; `choices` restricts a text.
struct Option {
  const char *name;
  const char *value;
  const char *help;
  std::string Options::*text = nullptr;
  int64_t Options::*number = nullptr;
  bool Options::*flag = nullptr;
  /// Smallest number.
  int64_t least = 0;
  std::vector<std::string> choices = {};
};
} // namespace

static const std::vector<Option> &getTable() {
  static const std::vector<Option> table = {
      {"entry", "F",
       "function to run; may be left out if the file has only one",
       &Options::entry},
      {"target",
       "interpret|cpu",
       "what runs it: the interpreter, in double precision, or machine code "
       "for this processor (default)",
       &Options::target,
       nullptr,
       nullptr,
       0,
       {"interpret", "cpu"}},
      {"args", "FILE",
       "safetensors file with arguments by name (%x is x, or arg0); all others "
       "are random",
       &Options::argumentFile},
      {"seed", "S", "seed of random arguments (default: 0)", nullptr,
       &Options::seed, nullptr, INT64_MIN},
      {"extent", "N", "extent of `?` in random arguments (default: 2)", nullptr,
       &Options::extent},
      {"check",
       "interpret",
       "compare the results with the interpreter's",
       &Options::check,
       nullptr,
       nullptr,
       0,
       {"interpret"}},
      {"samples", "N",
       "times at which --check evaluates a longer convolution; 0: all of them "
       "(default: 256)",
       nullptr, &Options::samples},
      {"bench", "N", "time N calls after a first one and report the median",
       nullptr, &Options::bench},
      {"threads", "N",
       "number of threads (default: HYENA_NUM_THREADS, else all processors)",
       nullptr, &Options::threads, nullptr, INT64_MIN},
      {"unfused", nullptr,
       "do not fuse: every convolution stands alone, for comparison", nullptr,
       nullptr, &Options::unfused},
      {"out", "FILE",
       "write the results to a safetensors file as result0, result1, ...",
       &Options::outputFile},
      {"json", nullptr, "print one JSON object", nullptr, nullptr,
       &Options::json},
      {"dump-ir",
       "graph|fused|exec|llvm",
       "print the program at that stage and do not run it",
       &Options::dumpIR,
       nullptr,
       nullptr,
       0,
       {"graph", "fused", "exec", "llvm"}},
      {"help", nullptr, "print this text", nullptr, nullptr, &Options::help}};
  return table;
}

/// `a, b, c`.
static std::string join(const std::vector<std::string> &texts) {
  std::string joined;
  for (const std::string &text : texts)
    joined += (joined.empty() ? "" : ", ") + text;
  return joined;
}

/// Stores the value of an option.
static bool setValue(const Option &option, const std::string &value,
                     Options &options, std::string &error) {
  const std::string name = std::string("--") + option.name;
  if (option.text) {
    bool allowed = option.choices.empty();
    for (const std::string &choice : option.choices)
      allowed |= choice == value;
    if (!allowed || value.empty()) {
      error = name + "=" + value + ": " +
              (option.choices.empty() ? "a value is needed"
                                      : "allowed: " + join(option.choices));
      return false;
    }
    options.*option.text = value;
    return true;
  }
  char *end = nullptr;
  errno = 0;
  const long long number = std::strtoll(value.c_str(), &end, 10);
  if (value.empty() || *end != '\0' || errno || number < option.least) {
    error = name + "=" + value + ": a whole number" +
            (option.least == INT64_MIN
                 ? ""
                 : " from " + std::to_string(option.least) + " on") +
            " is needed";
    return false;
  }
  options.*option.number = number;
  return true;
}

bool mlir::hyena::run::parseOptions(const std::vector<std::string> &arguments,
                                    Options &options, std::string &error) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    if (argument.size() < 2 || argument[0] != '-') {
      if (!options.inputFile.empty()) {
        error = "there are two files, '" + options.inputFile + "' and '" +
                argument + "'; one is allowed";
        return false;
      }
      options.inputFile = argument;
      continue;
    }
    std::string name = argument.substr(argument[1] == '-' ? 2 : 1);
    const size_t equals = name.find('=');
    const bool hasValue = equals != std::string::npos;
    std::string value = hasValue ? name.substr(equals + 1) : "";
    name = name.substr(0, equals);
    if (name == "h")
      name = "help";
    const Option *found = nullptr;
    std::vector<std::string> names;
    for (const Option &option : getTable()) {
      names.push_back(std::string("--") + option.name);
      if (name == option.name)
        found = &option;
    }
    if (!found) {
      error = "there is no option '" + argument + "'; the options are " +
              join(names);
      return false;
    }
    if (found->flag) {
      if (hasValue) {
        error = "--" + name + " takes no value";
        return false;
      }
      options.*found->flag = true;
      continue;
    }
    if (!hasValue) {
      if (i + 1 == arguments.size()) {
        error = "--" + name + " needs a value: " + found->value;
        return false;
      }
      value = arguments[++i];
    }
    if (!setValue(*found, value, options, error))
      return false;
  }
  if (options.inputFile.empty() && !options.help)
    error = "a file is needed: hyena-run FILE.mlir --entry=F; --help says more";
  return error.empty();
}

std::string mlir::hyena::run::getHelp() {
  std::string text =
      R"(hyena-run: runs, checks and times one function of a file of MLIR.

Usage: hyena-run FILE.mlir [options]        (`-` is standard input)

  hyena-run examples/hyena.mlir --entry=hyena --check=interpret --bench=20

Options:
)";
  for (const Option &option : getTable()) {
    std::string line = std::string("  --") + option.name;
    if (option.value)
      line += std::string("=") + option.value;
    line.resize(std::max<size_t>(line.size() + 2, 34), ' ');
    text += line + option.help + "\n";
  }
  text += R"(
With --json one object is printed: entry, target, rel_l2 and max_abs (null
without --check), median_us, workspace_bytes, kernels [{name, kind}], and more.
Environment: HYENA_NUM_THREADS, HYENA_BLAS (a library's name, or `builtin`),
OPENBLAS_CORETYPE. The exit code is 1 after an error.
)";
  return text;
}
