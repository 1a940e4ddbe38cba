//===- hyena-opt.cpp - Run passes over a file
//------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/InitAll.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static constexpr llvm::StringLiteral kUsage = R"(
hyena-opt: reads a file of MLIR, runs the passes that the command line names in
the order in which it names them, and prints the result.

Usage: hyena-opt [passes and options] [file.mlir]
       A missing file, or `-`, is standard input.

Examples:
  hyena-opt examples/hyena.mlir --hyena-fuse
      The reference operator with every pointwise operation, short convolution
      and gate fused into its long convolution.
  hyena-opt examples/hyena.mlir --hyena-fuse --remarks-filter=hyena.*
      The same, with a remark for each fusion that was made or refused, and why.
  hyena-opt a.mlir --pass-pipeline='builtin.module(func.func(hyena-raise))'
      A pipeline with explicit nesting; passes take options in braces.

Options that are often needed:
  -o FILE                      write to FILE
  --mlir-print-ir-after-all    print the program after each pass
  --mlir-print-ir-tree-dir=D   and into files under D, one for each pass
  --mlir-print-op-generic      print without the operations' own syntax
  --mlir-timing                print how long each pass took
  --verify-diagnostics         check the errors against expected-error comments
  --split-input-file           treat the parts between `// -----` lines alone
  --remarks-filter=REGEX       print the remarks whose category matches
  --show-dialects              list the dialects that can be read
  --help-hidden                every option and every pass, MLIR's too
)";

/// The registered pass or pipeline of this name, or null.
static const PassRegistryEntry *lookupPass(StringRef name) {
  if (const PassRegistryEntry *pass = PassInfo::lookup(name))
    return pass;
  return PassPipelineInfo::lookup(name);
}

static void printHelp() {
  llvm::outs() << kUsage << "\nPasses and pipelines of this project:\n";
  size_t width = 0;
  for (StringRef name : hyena::getPassNames())
    if (const PassRegistryEntry *pass = lookupPass(name))
      width = std::max({width, name.size() + 9, pass->getOptionWidth() + 4});
  for (StringRef name : hyena::getPassNames())
    if (const PassRegistryEntry *pass = lookupPass(name))
      pass->printHelpStr(/*indent=*/2, width);
}

/// LLVM's command line would read a misspelt `--hyena-...` as `-h`, print help
/// and succeed. Returns true if the arguments hold one, having reported it.
static bool reportUnknownPass(ArrayRef<char *> arguments) {
  for (StringRef argument : arguments) {
    StringRef name = argument.ltrim('-').split('=').first;
    if (!argument.starts_with("-") || !name.starts_with("h") ||
        name.starts_with("help") || lookupPass(name))
      continue;
    StringRef nearest;
    for (StringRef known : hyena::getPassNames())
      if (nearest.empty() ||
          name.edit_distance(known) < name.edit_distance(nearest))
        nearest = known;
    llvm::errs() << "hyena-opt: error: there is no pass '" << argument
                 << "'; the nearest is '--" << nearest
                 << "', and --help lists them all\n";
    return true;
  }
  return false;
}

int main(int argc, char **argv) {
  ArrayRef<char *> arguments(argv + 1, argc - 1);
  hyena::registerAllPasses();
  if (llvm::any_of(arguments, [](StringRef argument) {
        return argument == "--help" || argument == "-help" || argument == "-h";
      })) {
    printHelp();
    return EXIT_SUCCESS;
  }
  if (reportUnknownPass(arguments))
    return EXIT_FAILURE;

  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllPasses();
  hyena::registerAllDialects(registry);
  return asMainReturnCode(MlirOptMain(
      argc, argv, "hyena-opt: run passes over a file of MLIR\n", registry));
}
