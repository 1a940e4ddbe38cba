//===- hyena-run.cpp - Runs, checks and times a function ------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Oracle.h"
#include "Report.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

#include <chrono>

using namespace mlir;
using namespace mlir::hyena;
using namespace mlir::hyena::run;
namespace cl = llvm::cl;

static cl::OptionCategory category("Options");

static cl::opt<std::string> inputFile(cl::Positional, cl::Required,
                                      cl::desc("FILE.mlir"), cl::cat(category));
static cl::opt<std::string> entryName(
    "entry", cl::cat(category), cl::value_desc("F"),
    cl::desc("function to run; may be left out if there is only one"));
enum class Target { Interpret, CPU };
static cl::opt<Target> target(
    "target", cl::cat(category), cl::init(Target::CPU),
    cl::desc("what runs it (default: cpu)"),
    cl::values(
        clEnumValN(Target::Interpret, "interpret",
                   "the interpreter, in double precision"),
        clEnumValN(Target::CPU, "cpu",
                   "machine code that is generated for this processor")));
static cl::opt<std::string>
    argumentFile("args", cl::cat(category), cl::value_desc("a.safetensors"),
                 cl::desc("arguments by name; all others are random"));
static cl::opt<uint64_t>
    seed("seed", cl::cat(category), cl::init(0), cl::value_desc("S"),
         cl::desc("seed of random arguments (default: 0)"));
static cl::opt<int64_t> extent(
    "extent", cl::cat(category), cl::init(2), cl::value_desc("N"),
    cl::desc("extent of `?` dimensions of random arguments (default: 2)"));
enum class Check { None, Interpret };
static cl::opt<Check> check("check", cl::cat(category), cl::init(Check::None),
                            cl::desc("compare the results"),
                            cl::values(clEnumValN(Check::Interpret, "interpret",
                                                  "with the interpreter's")));
static cl::opt<int64_t> samples(
    "samples", cl::cat(category), cl::init(256), cl::value_desc("N"),
    cl::desc("times at which --check evaluates a longer convolution; 0 means "
             "all (default: 256)"));
static cl::opt<int64_t> bench("bench", cl::cat(category), cl::init(0),
                              cl::value_desc("N"),
                              cl::desc("time N calls and report the median"));
static cl::opt<int64_t>
    threads("threads", cl::cat(category), cl::init(HYENA_THREADS_DEFAULT),
            cl::value_desc("N"),
            cl::desc("number of threads (default: HYENA_NUM_THREADS, or all "
                     "processors)"));
static cl::opt<std::string>
    outputFile("out", cl::cat(category), cl::value_desc("FILE"),
               cl::desc("write the results to a safetensors file, under "
                        "result0, result1, ..."));
static cl::opt<bool> json("json", cl::cat(category),
                          cl::desc("print one JSON object"));
static cl::opt<std::string>
    dumpIR("dump-ir", cl::cat(category), cl::value_desc("STAGE"),
           cl::desc("print the program as graph, fused, exec or llvm, and do "
                    "not run it"));

static constexpr llvm::StringLiteral overview =
    R"(hyena-run: runs, checks and times one function of a file of MLIR.

  hyena-run examples/hyena.mlir --entry=hyena --check=interpret --bench=20
)";

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
static bool runInterpreter(Source &source, ArrayRef<Tensor> arguments,
                           std::vector<Tensor> &results, Report &report,
                           std::string &error) {
  std::vector<double> times;
  FailureOr<SmallVector<::hyena::interp::Value>> values;
  for (int64_t i = 0; i < std::max<int64_t>(bench, 1); ++i) {
    times.push_back(measure([&] {
      values = interpretEntry(source, arguments, threads, 0, error);
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

/// Compiles the source, which is used up, and runs it.
static bool runCPU(std::unique_ptr<Source> source,
                   std::vector<Tensor> &arguments, std::vector<Tensor> &results,
                   Report &report, std::string &error) {
  const std::vector<ValueInfo> argumentInfos = source->getArguments().vec();
  const std::vector<ValueInfo> resultInfos = source->getResults().vec();
  Program::Options options;
  options.threads = threads;
  std::unique_ptr<Program> program =
      Program::compile(std::move(source), options, error);
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
  for (int64_t i = 0; i <= bench; ++i) {
    bool fine = true;
    const double time = measure([&] {
      fine = succeeded(program->forward(arrays, *parameters, outputs, error));
    });
    if (!fine)
      return false;
    if (i > 0 || bench == 0)
      times.push_back(time);
  }
  report.calls = static_cast<int64_t>(times.size());
  report.medianMicroseconds = median(times);
  report.kernels = program->getKernels().vec();
  report.runtime.emplace();
  hyenaContextGetInfo(program->getRuntime(), &*report.runtime);
  // The names outlive the context: they belong to the process.
  return true;
}

static bool runTool(std::string &error) {
  if (bench < 0 || extent < 0 || samples < 0) {
    error = "--bench, --extent and --samples take numbers from 0 on";
    return false;
  }
  std::unique_ptr<Source> source =
      Source::parseFile(inputFile, entryName, error);
  if (!source)
    return false;
  if (!dumpIR.empty()) {
    std::optional<Stage> stage = parseStage(dumpIR);
    if (!stage) {
      error = "--dump-ir=" + dumpIR + ": allowed are graph, fused, exec, llvm";
      return false;
    }
    return succeeded(printStage(*source, *stage, llvm::outs(), error));
  }
  std::string warning;
  std::optional<std::vector<Tensor>> arguments =
      makeArguments(*source, argumentFile, seed, extent, warning, error);
  if (!arguments)
    return false;
  if (!warning.empty())
    llvm::errs() << "hyena-run: warning: " << argumentFile << ": " << warning
                 << " is no argument of @" << source->getEntry().getName()
                 << '\n';

  Report report;
  report.entry = source->getEntry().getName().str();
  report.target = target == Target::CPU ? "cpu" : "interpret";
  const std::vector<ValueInfo> infos = source->getResults().vec();
  std::optional<SmallVector<::hyena::interp::Value>> expected;
  if (check == Check::Interpret) {
    // Compiling uses the source up, so that the oracle comes first.
    auto values = interpretEntry(*source, *arguments, threads,
                                 target == Target::CPU ? samples : 0, error);
    if (failed(values))
      return false;
    expected = std::move(*values);
  }
  std::vector<Tensor> results;
  const bool fine =
      target == Target::CPU
          ? runCPU(std::move(source), *arguments, results, report, error)
          : runInterpreter(*source, *arguments, results, report, error);
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
  if (!outputFile.empty()) {
    ::hyena::support::TensorFile file;
    file.tensors = std::move(results);
    if (!::hyena::support::writeSafetensors(outputFile, file, error))
      return false;
  }
  if (json)
    report.printJSON(llvm::outs());
  else
    report.printText(llvm::outs());
  return true;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, overview);
  std::string error;
  if (runTool(error))
    return EXIT_SUCCESS;
  llvm::errs() << "hyena-run: " << error << '\n';
  return EXIT_FAILURE;
}
