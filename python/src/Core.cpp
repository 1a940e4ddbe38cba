//===- Core.cpp - The extension module hyena_mlir._core -------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C interface as Python objects, and no more: what a user sees is in
// hyena_mlir/program.py.
//
//===----------------------------------------------------------------------===//

#include "Arrays.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>

using namespace hyena::python;

namespace {

/// Throws the Python exception of a status.
void checkStatus(HyenaStatus status, const char *message) {
  std::string text = message ? message : "unknown error";
  switch (status) {
  case HYENA_STATUS_OK:
    return;
  case HYENA_STATUS_INVALID_ARGUMENT:
    throw nb::value_error(text.c_str());
  case HYENA_STATUS_OUT_OF_MEMORY:
    PyErr_SetString(PyExc_MemoryError, text.c_str());
    throw nb::python_error();
  case HYENA_STATUS_UNAVAILABLE:
  case HYENA_STATUS_INTERNAL:
    break;
  }
  PyErr_SetString(PyExc_RuntimeError, text.c_str());
  throw nb::python_error();
}

/// Calls \p function without the interpreter lock. The message of a failure is
/// copied before the lock is taken again, since it belongs to the thread.
template <typename Function> void callUnlocked(Function function) {
  HyenaStatus status;
  std::string message;
  {
    nb::gil_scoped_release unlocked;
    const char *text = nullptr;
    status = function(&text);
    if (status != HYENA_STATUS_OK && text)
      message = text;
  }
  checkStatus(status, message.c_str());
}

class Parameters {
public:
  explicit Parameters(HyenaParameters *handle) : handle(handle) {}
  Parameters(const Parameters &) = delete;
  ~Parameters() { hyenaParametersDestroy(handle); }
  HyenaParameters *get() const { return handle; }

private:
  HyenaParameters *handle;
};

/// A compiled function. Arguments that are not parameters are its inputs.
class Program {
public:
  Program(const std::string &text, const std::string &fileName,
          const std::optional<std::string> &entry, const std::string &target,
          int64_t threads) {
    HyenaCompileOptions options = {};
    options.size = sizeof(options);
    options.entry = entry ? entry->c_str() : nullptr;
    options.target = target.c_str();
    options.threads = threads;
    options.fileName = fileName.c_str();
    callUnlocked([&](const char **message) {
      HyenaProgram *made = nullptr;
      HyenaStatus status = hyenaProgramCreate(text.data(), text.size(),
                                              &options, &made, message);
      program.reset(made);
      return status;
    });
    HyenaProgram *handle = program.get();
    for (int64_t i = 0; i < hyenaProgramArgumentCount(handle); ++i) {
      HyenaValueInfo info;
      const char *message = nullptr;
      checkStatus(hyenaProgramArgument(handle, i, &info, &message), message);
      (info.isParameter ? parameters : inputs).push_back(info);
    }
    for (int64_t i = 0; i < hyenaProgramResultCount(handle); ++i) {
      HyenaValueInfo info;
      const char *message = nullptr;
      checkStatus(hyenaProgramResult(handle, i, &info, &message), message);
      results.push_back(info);
    }
  }

  nb::list describe() const {
    nb::list list;
    for (int64_t i = 0; i < hyenaProgramArgumentCount(program.get()); ++i) {
      HyenaValueInfo info;
      const char *message = nullptr;
      checkStatus(hyenaProgramArgument(program.get(), i, &info, &message),
                  message);
      list.append(describeValue(info));
    }
    return list;
  }

  nb::list describeResults() const {
    nb::list list;
    for (const HyenaValueInfo &info : results)
      list.append(describeValue(info));
    return list;
  }

  std::string text(const std::string &stage) {
    const char *result = nullptr;
    callUnlocked([&](const char **message) {
      return hyenaProgramText(program.get(), stage.c_str(), &result, message);
    });
    return result;
  }

  std::string remarks() {
    const char *result = nullptr;
    callUnlocked([&](const char **message) {
      return hyenaProgramRemarks(program.get(), &result, message);
    });
    return result;
  }

  /// A new object; Python owns it.
  Parameters *prepare(nb::list objects) {
    Arrays arrays = take(objects, parameters, "parameter", false);
    std::vector<HyenaTensor> tensors = arrays.tensors();
    HyenaParameters *made = nullptr;
    callUnlocked([&](const char **message) {
      return hyenaProgramPrepare(program.get(), tensors.data(), tensors.size(),
                                 &made, message);
    });
    return new Parameters(made);
  }

  nb::list resultShapes(nb::list objects) {
    Arrays arrays = take(objects, inputs, "argument", false);
    std::vector<HyenaTensor> tensors = arrays.tensors();
    nb::list shapes;
    for (size_t i = 0; i < results.size(); ++i) {
      std::vector<int64_t> shape(results[i].rank);
      const char *message = nullptr;
      checkStatus(hyenaProgramResultShape(program.get(), tensors.data(),
                                          tensors.size(), i, shape.data(),
                                          &message),
                  message);
      shapes.append(shapeTuple(shape.data(), shape.size()));
    }
    return shapes;
  }

  int64_t workspaceBytes(const std::vector<std::vector<int64_t>> &shapes) {
    std::vector<HyenaTensor> tensors;
    for (size_t i = 0; i < shapes.size() && i < inputs.size(); ++i)
      tensors.push_back({nullptr, inputs[i].type,
                         static_cast<int64_t>(shapes[i].size()),
                         shapes[i].data()});
    int64_t bytes = 0;
    callUnlocked([&](const char **message) {
      return hyenaProgramWorkspaceBytes(program.get(), tensors.data(),
                                        tensors.size(), &bytes, message);
    });
    return bytes;
  }

  void run(const Parameters *prepared, nb::list inputObjects,
           nb::list resultObjects) {
    Arrays in = take(inputObjects, inputs, "argument", false);
    Arrays out = take(resultObjects, results, "out", true);
    std::vector<HyenaTensor> inTensors = in.tensors(),
                             outTensors = out.tensors();
    callUnlocked([&](const char **message) {
      return hyenaProgramRun(
          program.get(), prepared ? prepared->get() : nullptr, inTensors.data(),
          inTensors.size(), outTensors.data(), outTensors.size(), message);
    });
  }

private:
  static nb::tuple describeValue(const HyenaValueInfo &info) {
    return nb::make_tuple(info.name, elementName(info.type),
                          shapeTuple(info.shape, info.rank),
                          info.isParameter != 0);
  }

  static Arrays take(nb::list objects, const std::vector<HyenaValueInfo> &infos,
                     const char *role, bool writable) {
    if (objects.size() != infos.size())
      throw nb::value_error((std::string(role) + ": " +
                             std::to_string(objects.size()) + " arrays, " +
                             std::to_string(infos.size()) + " are needed")
                                .c_str());
    Arrays arrays;
    for (size_t i = 0; i < infos.size(); ++i)
      arrays.add(objects[i], infos[i], role, writable);
    return arrays;
  }

  struct Destroy {
    void operator()(HyenaProgram *program) const {
      hyenaProgramDestroy(program);
    }
  };
  std::unique_ptr<HyenaProgram, Destroy> program;
  std::vector<HyenaValueInfo> inputs, parameters, results;
};

} // namespace

NB_MODULE(_core, module) {
  module.doc() = "The C interface of the compiler, for hyena_mlir.program";
  // Programs in global variables live until the interpreter ends.
  nb::set_leak_warnings(false);
  module.def("version", &hyenaCompilerVersion);

  nb::class_<Parameters>(module, "Parameters");
  nb::class_<Program>(module, "Program")
      .def(nb::init<const std::string &, const std::string &,
                    const std::optional<std::string> &, const std::string &,
                    int64_t>(),
           nb::arg("text"), nb::arg("file_name"), nb::arg("entry").none(),
           nb::arg("target"), nb::arg("threads"))
      .def("arguments", &Program::describe)
      .def("results", &Program::describeResults)
      .def("text", &Program::text)
      .def("remarks", &Program::remarks)
      .def("prepare", &Program::prepare)
      .def("result_shapes", &Program::resultShapes)
      .def("workspace_bytes", &Program::workspaceBytes)
      .def("run", &Program::run, nb::arg("parameters").none(),
           nb::arg("inputs"), nb::arg("outputs"));
}
