//===- Compiler.cpp - The C interface of the compiler ---------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena-c/Compiler.h"

#include "Executable.h"
#include "Stages.h"
#include "Values.h"

#include <cstring>
#include <new>

using namespace ::hyena::capi;
using mlir::hyena::Source;

struct HyenaProgram {
  std::vector<ValueDescription> arguments, results;
  /// Arguments by kind, and all results, as indices.
  std::vector<size_t> inputs, parameters, outputs;
  std::shared_ptr<Executable> executable;
  std::unique_ptr<Stages> stages;
};

struct HyenaParameters {
  /// Declared first: what is prepared may lie in memory of the executable.
  std::shared_ptr<Executable> executable;
  std::unique_ptr<Prepared> prepared;
};

namespace {

HyenaStatus report(Outcome outcome, const char **message) {
  if (outcome.status == HYENA_STATUS_OK)
    return HYENA_STATUS_OK;
  static thread_local std::string text;
  text = std::move(outcome.message);
  if (message)
    *message = text.c_str();
  return outcome.status;
}

/// Runs \p function, which returns an Outcome; no exception gets out.
template <typename Function>
HyenaStatus guarded(const char **message, Function function) {
  try {
    return report(function(), message);
  } catch (const std::bad_alloc &) {
    return report({HYENA_STATUS_OUT_OF_MEMORY, "out of memory"}, message);
  } catch (const std::exception &error) {
    return report(Outcome::internal(error.what()), message);
  } catch (...) {
    return report(Outcome::internal("unknown exception"), message);
  }
}

llvm::ArrayRef<HyenaTensor> listOf(const HyenaTensor *tensors, int64_t count) {
  return {tensors, static_cast<size_t>(count < 0 || !tensors ? 0 : count)};
}

Outcome describeAt(llvm::ArrayRef<ValueDescription> values, int64_t index,
                   const char *role, HyenaValueInfo *info) {
  if (index < 0 || index >= static_cast<int64_t>(values.size()))
    return Outcome::invalid(std::string(role) + " " + std::to_string(index) +
                            " of a function with " +
                            std::to_string(values.size()));
  *info = values[index].info();
  return {};
}

Outcome create(llvm::StringRef text, const HyenaCompileOptions &options,
               HyenaProgram &program) {
  llvm::StringRef target = options.target ? options.target : "cpu";
  if (target != "cpu" && target != "interpret")
    return Outcome::invalid("target '" + target.str() +
                            "' is not one of cpu, interpret");
  int64_t threads = options.threads ? options.threads : HYENA_THREADS_DEFAULT;
  if (threads != HYENA_THREADS_DEFAULT && (threads < 1 || threads > 4096))
    return Outcome::invalid(std::to_string(threads) +
                            " threads; 1 to 4096 are allowed");

  Outcome outcome;
  llvm::StringRef name = options.fileName ? options.fileName : "<text>";
  llvm::StringRef entry = options.entry ? options.entry : "";
  // Twice: one is shown, the other is used up by what runs.
  auto shown = Source::parse(text, name, entry, outcome.message);
  if (!shown)
    return Outcome::invalid(std::move(outcome.message));
  auto used = Source::parse(text, name, entry, outcome.message);
  if (!used)
    return Outcome::internal(std::move(outcome.message));
  program.arguments = describe(shown->getArguments(), outcome);
  if (outcome)
    program.results = describe(shown->getResults(), outcome);
  if (!outcome)
    return outcome;
  for (auto [index, argument] : llvm::enumerate(program.arguments))
    (argument.isParameter ? program.parameters : program.inputs)
        .push_back(index);
  for (size_t index = 0; index < program.results.size(); ++index)
    program.outputs.push_back(index);

  program.stages = std::make_unique<Stages>(std::move(shown));
  auto make = target == "interpret" ? makeInterpreted : makeCompiled;
  program.executable =
      make(std::move(used), program.arguments, threads, outcome);
  return outcome;
}

/// Checks the tensors of a run, shapes of dynamic results and overlaps too.
Outcome checkRun(HyenaProgram &program, llvm::ArrayRef<HyenaTensor> inputs,
                 llvm::ArrayRef<HyenaTensor> results) {
  if (Outcome outcome = checkTensors(inputs, program.arguments, program.inputs,
                                     "argument", true);
      !outcome)
    return outcome;
  if (Outcome outcome = checkTensors(results, program.results, program.outputs,
                                     "result", true);
      !outcome)
    return outcome;
  std::vector<std::vector<int64_t>> shapes;
  int64_t bytes = 0;
  if (Outcome outcome = program.executable->query(inputs, shapes, bytes);
      !outcome)
    return outcome;
  for (auto [index, result] : llvm::enumerate(results)) {
    std::string who = "result '" + program.results[index].name + "'";
    llvm::ArrayRef<int64_t> shape(result.shape, result.rank);
    if (shape != llvm::ArrayRef<int64_t>(shapes[index]))
      return Outcome::invalid(who + " has shape " + shapeText(shape) + "; " +
                              shapeText(shapes[index]) +
                              " is needed for these arguments");
    for (auto [input, at] : llvm::zip_equal(inputs, program.inputs))
      if (overlap(result, input))
        return Outcome::invalid(who + " overlaps argument '" +
                                program.arguments[at].name + "'");
    for (size_t other = 0; other < index; ++other)
      if (overlap(result, results[other]))
        return Outcome::invalid(who + " overlaps result '" +
                                program.results[other].name + "'");
  }
  return {};
}

} // namespace

//===----------------------------------------------------------------------===//
// The functions of the header
//===----------------------------------------------------------------------===//

int32_t hyenaCompilerVersion(void) {
  return HYENA_COMPILER_VERSION_MAJOR * 1000 + HYENA_COMPILER_VERSION_MINOR;
}

HyenaStatus hyenaProgramCreate(const char *text, size_t length,
                               const HyenaCompileOptions *options,
                               HyenaProgram **program, const char **message) {
  return guarded(message, [&]() -> Outcome {
    if (!program)
      return Outcome::invalid("no place for the program is given");
    *program = nullptr;
    if (!text)
      return Outcome::invalid("no text is given");
    // A caller of an older version knows fewer options; the rest is default.
    HyenaCompileOptions known = {};
    if (options) {
      if (options->size < sizeof(size_t) || options->size > sizeof(known))
        return Outcome::invalid("options of " + std::to_string(options->size) +
                                " bytes; this library knows " +
                                std::to_string(sizeof(known)));
      std::memcpy(&known, options, options->size);
    }
    auto made = std::make_unique<HyenaProgram>();
    llvm::StringRef whole = length == SIZE_MAX ? llvm::StringRef(text)
                                               : llvm::StringRef(text, length);
    if (Outcome outcome = create(whole, known, *made); !outcome)
      return outcome;
    *program = made.release();
    return {};
  });
}

void hyenaProgramDestroy(HyenaProgram *program) { delete program; }

int64_t hyenaProgramArgumentCount(const HyenaProgram *program) {
  return program->arguments.size();
}

int64_t hyenaProgramResultCount(const HyenaProgram *program) {
  return program->results.size();
}

HyenaStatus hyenaProgramArgument(const HyenaProgram *program, int64_t index,
                                 HyenaValueInfo *info, const char **message) {
  return guarded(message, [&] {
    return describeAt(program->arguments, index, "argument", info);
  });
}

HyenaStatus hyenaProgramResult(const HyenaProgram *program, int64_t index,
                               HyenaValueInfo *info, const char **message) {
  return guarded(message, [&] {
    return describeAt(program->results, index, "result", info);
  });
}

HyenaStatus hyenaProgramText(HyenaProgram *program, const char *stage,
                             const char **text, const char **message) {
  return guarded(message, [&] {
    return program->stages->text(stage ? stage : "", *text);
  });
}

HyenaStatus hyenaProgramRemarks(HyenaProgram *program, const char **text,
                                const char **message) {
  return guarded(message, [&] { return program->stages->remarks(*text); });
}

HyenaStatus hyenaProgramPrepare(HyenaProgram *program,
                                const HyenaTensor *tensors, int64_t count,
                                HyenaParameters **parameters,
                                const char **message) {
  return guarded(message, [&]() -> Outcome {
    *parameters = nullptr;
    llvm::ArrayRef<HyenaTensor> list = listOf(tensors, count);
    if (Outcome outcome = checkTensors(list, program->arguments,
                                       program->parameters, "parameter", true);
        !outcome)
      return outcome;
    auto made = std::make_unique<HyenaParameters>();
    made->executable = program->executable;
    if (Outcome outcome = program->executable->prepare(list, made->prepared);
        !outcome)
      return outcome;
    *parameters = made.release();
    return {};
  });
}

void hyenaParametersDestroy(HyenaParameters *parameters) { delete parameters; }

/// Shapes of results and bytes of workspace for inputs without data.
static Outcome query(HyenaProgram &program, llvm::ArrayRef<HyenaTensor> inputs,
                     std::vector<std::vector<int64_t>> &shapes,
                     int64_t &bytes) {
  if (Outcome outcome = checkTensors(inputs, program.arguments, program.inputs,
                                     "argument", false);
      !outcome)
    return outcome;
  return program.executable->query(inputs, shapes, bytes);
}

HyenaStatus hyenaProgramResultShape(HyenaProgram *program,
                                    const HyenaTensor *inputs, int64_t count,
                                    int64_t index, int64_t *shape,
                                    const char **message) {
  return guarded(message, [&]() -> Outcome {
    HyenaValueInfo info;
    if (Outcome outcome = describeAt(program->results, index, "result", &info);
        !outcome)
      return outcome;
    std::vector<std::vector<int64_t>> shapes;
    int64_t bytes = 0;
    if (Outcome outcome = query(*program, listOf(inputs, count), shapes, bytes);
        !outcome)
      return outcome;
    llvm::copy(shapes[index], shape);
    return {};
  });
}

HyenaStatus hyenaProgramWorkspaceBytes(HyenaProgram *program,
                                       const HyenaTensor *inputs, int64_t count,
                                       int64_t *bytes, const char **message) {
  return guarded(message, [&] {
    std::vector<std::vector<int64_t>> shapes;
    return query(*program, listOf(inputs, count), shapes, *bytes);
  });
}

HyenaStatus hyenaProgramRun(HyenaProgram *program,
                            const HyenaParameters *parameters,
                            const HyenaTensor *inputs, int64_t inputCount,
                            const HyenaTensor *results, int64_t resultCount,
                            const char **message) {
  return guarded(message, [&]() -> Outcome {
    llvm::ArrayRef<HyenaTensor> in = listOf(inputs, inputCount);
    llvm::ArrayRef<HyenaTensor> out = listOf(results, resultCount);
    if (Outcome outcome = checkRun(*program, in, out); !outcome)
      return outcome;
    if (parameters && parameters->executable != program->executable)
      return Outcome::invalid("the parameters are those of another program");
    if (parameters)
      return program->executable->run(*parameters->prepared, in, out);
    if (!program->parameters.empty())
      return Outcome::invalid("the function has " +
                              std::to_string(program->parameters.size()) +
                              " parameters; prepare them first");
    std::unique_ptr<Prepared> nothing;
    if (Outcome outcome = program->executable->prepare({}, nothing); !outcome)
      return outcome;
    return program->executable->run(*nothing, in, out);
  });
}
