//===- PassFlags.cpp - Flags for passes that a plugin brings
//---------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-opt makes its flags for passes before it loads a plugin, so the passes
// of a plugin can be named in --pass-pipeline only, and `--hyena-fuse` would be
// read as `-h`. The flags belong to one command-line option whose type is
// private to MLIR's PassRegistry.cpp. This file declares the same types again,
// under the same names, and adds flags to that option if the host's type has
// the very name that ours has. The plugin is bound to one libMLIR.so by its C++
// interface anyway; the lit suite runs through these flags.
//
//===----------------------------------------------------------------------===//

#include "PassFlags.h"

#include "mlir/Pass/PassRegistry.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"

#include <typeinfo>

static_assert(LLVM_VERSION_MAJOR == 22,
              "compare these types with the new PassRegistry.cpp");

using namespace llvm;

namespace {
/// What one flag of a pass stands for.
struct PassArgData {
  PassArgData() = default;
  PassArgData(const mlir::PassRegistryEntry *registryEntry)
      : registryEntry(registryEntry) {}

  const mlir::PassRegistryEntry *registryEntry = nullptr;
  StringRef options;
};
} // namespace

template <>
struct llvm::cl::OptionValue<PassArgData> final
    : OptionValueBase<PassArgData, /*isClass=*/true> {
  OptionValue(const PassArgData &value) : value(value) {}
  OptionValue() = default;
  void anchor() override {}

  bool hasValue() const { return true; }
  const PassArgData &getValue() const { return value; }
  void setValue(const PassArgData &newValue) { value = newValue; }

  PassArgData value;
};

namespace {
/// Only its size and its base class matter: it is never made here.
struct PassNameParser : public cl::parser<PassArgData> {
  using parser::parser;
  bool passNamesOnly = false;
};
using PassList = cl::list<PassArgData, bool, PassNameParser>;
} // namespace

void mlir::hyena::addPassFlags(ArrayRef<StringRef> names) {
  // Every host that has flags for passes has one for this pass.
  auto &options = cl::getRegisteredOptions();
  auto known = options.find("canonicalize");
  if (known == options.end())
    return;
  cl::Option &option = *known->second;
  if (StringRef(typeid(option).name()) != typeid(PassList).name())
    return;

  auto &flags = static_cast<PassList &>(option).getParser();
  for (StringRef name : names) {
    const PassRegistryEntry *entry = PassInfo::lookup(name);
    if (!entry)
      entry = PassPipelineInfo::lookup(name);
    if (entry && !options.contains(name))
      flags.addLiteralOption(entry->getPassArgument(), entry,
                             entry->getPassDescription());
  }
}
