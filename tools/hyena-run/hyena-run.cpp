//===- hyena-run.cpp - Runs, checks and times a function ------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Options.h"
#include "Oracle.h"
#include "Report.h"

#include "llvm/Support/InitLLVM.h"

#include <algorithm>
#include <chrono>

using namespace mlir;
using namespace mlir::hyena;
using namespace mlir::hyena::run;

using Clock = std::chrono::steady_clock;

/// Time of one call in microseconds.
template <typename Fn> static double measure(Fn call) {
  const Clock::time_point start = Clock::now();
  call();
  return std::chrono::duration<double, std::micro>(Clock::now() - start)
      .count();
}

static double median(std::vector<double> values) {
  auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2)
    return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// Runs the interpreter as the target.
static bool runInterpreter(const Options &options, Source &source,
                           ArrayRef<Tensor> arguments,
                           std::vector<Tensor> &results, Report &report,
                           std::string &error) {
  std::vector<double> times;
  FailureOr<SmallVector<::hyena::interp::Value>> values;
  for (int64_t i = 0; i < std::max<int64_t>(options.bench, 1); ++i) {
    times.push_back(measure([&] {
      values = interpretEntry(source, arguments, options.threads, 0, error);
    }));
    if (failed(values))
      return false;
  }
  report.calls = static_cast<int64_t>(times.size());
  report.medianMicroseconds = median(times);
  for (auto [value, info] : llvm::zip_equal(*values, source.getResults())) {
    std::optional<Tensor> tensor = fromValue(value, info, error);
    if (!tensor)
      return false;
    results.push_back(std::move(*tensor));
  }
  return true;
}

/// Compiles the source, which is used up, and runs it. The program has to
/// outlive what is reported of it.
static bool runCPU(const Options &options, std::unique_ptr<Source> source,
                   std::unique_ptr<Program> &program,
                   std::vector<Tensor> &arguments, std::vector<Tensor> &results,
                   Report &report, std::string &error) {
  const std::vector<ValueInfo> argumentInfos = source->getArguments().vec();
  const std::vector<ValueInfo> resultInfos = source->getResults().vec();
  Program::Options programOptions;
  programOptions.threads = options.threads;
  programOptions.fuse = !options.unfused;
  program = Program::compile(std::move(source), programOptions, error);
  if (!program)
    return false;
  SmallVector<Array> arrays;
  for (auto [tensor, info] : llvm::zip_equal(arguments, argumentInfos))
    arrays.push_back(makeArray(tensor, info));
  std::unique_ptr<PackedParameters> parameters;
  report.prepareMicroseconds =
      measure([&] { parameters = program->prepare(arrays, error); });
  if (!parameters)
    return false;
  SmallVector<SmallVector<int64_t>> shapes;
  if (failed(program->query(arrays, *parameters, shapes, report.workspaceBytes,
                            error)))
    return false;
  SmallVector<Array> outputs;
  results.reserve(shapes.size());
  for (auto [shape, info] : llvm::zip_equal(shapes, resultInfos)) {
    std::optional<Tensor> tensor = makeTensor(info, shape, error);
    if (!tensor)
      return false;
    results.push_back(std::move(*tensor));
    outputs.push_back(makeArray(results.back(), info));
  }
  // The first call touches memory for the first time and is timed alone only
  // where nothing else is asked for.
  std::vector<double> times;
  for (int64_t i = 0; i <= options.bench; ++i) {
    bool fine = true;
    const double time = measure([&] {
      fine = succeeded(program->forward(arrays, *parameters, outputs, error));
    });
    if (!fine)
      return false;
    if (i > 0 || options.bench == 0)
      times.push_back(time);
  }
  report.calls = static_cast<int64_t>(times.size());
  report.medianMicroseconds = median(times);
  report.kernels = program->getKernels().vec();
  report.runtime.emplace();
  hyenaContextGetInfo(program->getRuntime(), &*report.runtime);
  return true;
}

static bool runTool(const Options &options, std::string &error) {
  std::unique_ptr<Source> source =
      Source::parseFile(options.inputFile, options.entry, error);
  if (!source)
    return false;
  if (!options.dumpIR.empty())
    return succeeded(printStage(*source, *parseStage(options.dumpIR),
                                !options.unfused, llvm::outs(), error));
  std::string warning;
  std::optional<std::vector<Tensor>> arguments = makeArguments(
      *source, options.argumentFile, static_cast<uint64_t>(options.seed),
      options.extent, warning, error);
  if (!arguments)
    return false;
  if (!warning.empty())
    llvm::errs() << "hyena-run: warning: " << options.argumentFile << ": "
                 << warning << " is no argument of @"
                 << source->getEntry().getName() << '\n';

  Report report;
  report.entry = source->getEntry().getName().str();
  report.target = options.target;
  const bool onCPU = options.target == "cpu";
  const std::vector<ValueInfo> infos = source->getResults().vec();
  std::optional<SmallVector<::hyena::interp::Value>> expected;
  if (!options.check.empty()) {
    // Compiling uses the source up, so that the oracle comes first.
    auto values = interpretEntry(*source, *arguments, options.threads,
                                 onCPU ? options.samples : 0, error);
    if (failed(values))
      return false;
    expected = std::move(*values);
  }
  std::unique_ptr<Program> program;
  std::vector<Tensor> results;
  const bool fine = onCPU ? runCPU(options, std::move(source), program,
                                   *arguments, results, report, error)
                          : runInterpreter(options, *source, *arguments,
                                           results, report, error);
  if (!fine)
    return false;
  for (auto [i, info] : llvm::enumerate(infos)) {
    Report::Result result;
    result.name = info.name;
    llvm::raw_string_ostream(result.type) << info.type.getElementType();
    result.shape = results[i].shape;
    if (expected)
      result.difference =
          ::hyena::interp::compare(toValue(results[i]), (*expected)[i]);
    report.results.push_back(std::move(result));
  }
  if (!options.outputFile.empty()) {
    ::hyena::support::TensorFile file;
    file.tensors = std::move(results);
    if (!::hyena::support::writeSafetensors(options.outputFile, file, error))
      return false;
  }
  if (options.json)
    report.printJSON(llvm::outs());
  else
    report.printText(llvm::outs());
  return true;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  std::string error;
  if (parseOptions({argv + 1, argv + argc}, options, error)) {
    if (options.help) {
      llvm::outs() << getHelp();
      return EXIT_SUCCESS;
    }
    if (runTool(options, error))
      return EXIT_SUCCESS;
  }
  llvm::errs() << "hyena-run: " << error << '\n';
  return EXIT_FAILURE;
}
