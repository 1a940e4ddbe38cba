//===- Call.cpp - Calls of compiled functions -----------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeClasses.h"

using namespace mlir;
using namespace mlir::hyena;

PackedParameters::~PackedParameters() {
  for (Array &array : arrays)
    hyenaFree(runtime, array.data);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static std::string printShape(ArrayRef<int64_t> shape) {
  std::string text = "(";
  for (auto [i, extent] : llvm::enumerate(shape))
    text += (i ? ", " : "") +
            (ShapedType::isDynamic(extent) ? "?" : std::to_string(extent));
  return text + ")";
}

static std::string printType(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << type;
  return text;
}

static int64_t countElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

/// Checks one array against what is declared; `error` names it.
static LogicalResult checkArray(const Array &array, StringRef sort,
                                const ValueInfo &info, bool needsData,
                                std::string &error) {
  const std::string start = (sort + " '" + info.name + "': ").str();
  if (array.elementType != info.type.getElementType()) {
    error = start + "the element type is " + printType(array.elementType) +
            "; it must be " + printType(info.type.getElementType());
    return failure();
  }
  bool fits = array.shape.size() == static_cast<size_t>(info.type.getRank());
  for (int64_t i = 0; fits && i < info.type.getRank(); ++i)
    fits = array.shape[i] >= 0 && (info.type.isDynamicDim(i) ||
                                   array.shape[i] == info.type.getDimSize(i));
  if (!fits) {
    error = start + "the shape is " + printShape(array.shape) +
            "; it must be " + printShape(info.type.getShape());
    return failure();
  }
  const int64_t elements = countElements(array.shape);
  int64_t expected = 1;
  if (!array.strides.empty() && elements > 0)
    for (int64_t i = info.type.getRank() - 1; i >= 0; --i) {
      if (array.shape[i] != 1 && array.strides[i] != expected) {
        error = start + "the strides are " + printShape(array.strides) +
                "; the array must be row-major without gaps";
        return failure();
      }
      expected *= array.shape[i];
    }
  if (needsData && !array.data && elements > 0) {
    error = start + "there is no data";
    return failure();
  }
  return success();
}

LogicalResult Program::checkArguments(ArrayRef<Array> arguments,
                                      const Function &used,
                                      std::string &error) const {
  ArrayRef<ValueInfo> infos = getArguments();
  if (arguments.size() != infos.size()) {
    error = std::to_string(arguments.size()) +
            " arguments are given; there must be " +
            std::to_string(infos.size());
    return failure();
  }
  for (auto [i, info] : llvm::enumerate(infos))
    if (failed(checkArray(arguments[i], "argument", info,
                          llvm::is_contained(used.sources, i), error)))
      return failure();
  return checkShapeClasses(shapeClasses, infos, arguments, error);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
/// The arguments of a call in the form that packed functions take: pointers to
/// every field of every descriptor.
class PackedArguments {
public:
  void addPointer(void *pointer) { fields.push_back(word(pointer)); }

  void addArray(void *data, ArrayRef<int64_t> shape) {
    fields.push_back(word(data));
    fields.push_back(word(data));
    fields.push_back(0);
    fields.append(shape.begin(), shape.end());
    SmallVector<int64_t> strides(shape.size(), 1);
    for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
      strides[i] = strides[i + 1] * shape[i + 1];
    fields.append(strides.begin(), strides.end());
  }

  /// \p results is where the returned values go, or null.
  void call(void (*function)(void **), void *results) {
    SmallVector<void *> pointers;
    for (int64_t &field : fields)
      pointers.push_back(&field);
    if (results)
      pointers.push_back(results);
    function(pointers.data());
  }

private:
  static int64_t word(void *pointer) {
    return static_cast<int64_t>(reinterpret_cast<intptr_t>(pointer));
  }
  SmallVector<int64_t, 64> fields;
};
} // namespace

LogicalResult Program::callQuery(const Function &function,
                                 ArrayRef<Array> arguments,
                                 SmallVectorImpl<SmallVector<int64_t>> &shapes,
                                 int64_t &workspaceBytes,
                                 std::string &error) const {
  PackedArguments packed;
  for (const Array &array : arguments)
    packed.addArray(array.data, array.shape);
  size_t numDynamic = 0;
  for (RankedTensorType type : function.results)
    numDynamic += type.getNumDynamicDims();
  SmallVector<int64_t> values(1 + numDynamic, 0);
  packed.call(function.query, values.data());
  workspaceBytes = values[0];
  size_t next = 1;
  shapes.clear();
  for (RankedTensorType type : function.results) {
    shapes.emplace_back(type.getShape());
    for (int64_t &extent : shapes.back())
      if (ShapedType::isDynamic(extent))
        extent = values[next++];
  }
  return success();
}

LogicalResult Program::call(const Function &function, ArrayRef<Array> arguments,
                            ArrayRef<Array> results, int64_t workspaceBytes,
                            std::string &error) {
  void *workspace = nullptr;
  int64_t capacity = 0;
  {
    std::lock_guard<std::mutex> lock(workspaceMutex);
    if (!freeWorkspaces.empty()) {
      std::tie(workspace, capacity) = freeWorkspaces.back();
      freeWorkspaces.pop_back();
    }
  }
  if (capacity < workspaceBytes) {
    hyenaFree(runtime, workspace);
    workspace = hyenaAllocate(runtime, workspaceBytes);
    capacity = workspace ? workspaceBytes : 0;
  }
  if (workspace || workspaceBytes == 0) {
    PackedArguments packed;
    packed.addPointer(runtime);
    packed.addArray(workspace, {workspaceBytes});
    for (const Array &array : llvm::concat<const Array>(arguments, results))
      packed.addArray(array.data, array.shape);
    packed.call(function.run, nullptr);
  }
  if (workspace) {
    std::lock_guard<std::mutex> lock(workspaceMutex);
    freeWorkspaces.push_back({workspace, capacity});
  }
  const char *message = nullptr;
  if (hyenaContextStatus(runtime, &message) == HYENA_STATUS_OK)
    return success();
  error = message;
  hyenaContextClearStatus(runtime);
  return failure();
}

std::unique_ptr<PackedParameters> Program::prepare(ArrayRef<Array> arguments,
                                                   std::string &error) {
  if (failed(checkArguments(arguments, prepareFunction, error)))
    return nullptr;
  auto packed = std::make_unique<PackedParameters>();
  packed->runtime = runtime;
  if (!hasPrepare)
    return packed;
  SmallVector<Array> parameters =
      selectInputs(prepareFunction, arguments, *packed);
  SmallVector<SmallVector<int64_t>> shapes;
  int64_t bytes = 0;
  if (failed(callQuery(prepareFunction, parameters, shapes, bytes, error)))
    return nullptr;
  for (auto [shape, type] : llvm::zip_equal(shapes, prepareFunction.results)) {
    Array array;
    array.elementType = type.getElementType();
    array.shape = shape;
    array.data = hyenaAllocate(runtime, countElements(shape) *
                                            getElementBytes(array.elementType));
    packed->arrays.push_back(array);
    if (!array.data) {
      error = "no memory for the packed parameters";
      return nullptr;
    }
  }
  if (failed(call(prepareFunction, parameters, packed->arrays, bytes, error)))
    return nullptr;
  return packed;
}

SmallVector<Array> Program::selectInputs(const Function &function,
                                         ArrayRef<Array> arguments,
                                         const PackedParameters &parameters) {
  SmallVector<Array> inputs;
  for (int64_t source : function.sources)
    inputs.push_back(source >= 0 ? arguments[source]
                                 : parameters.arrays[-1 - source]);
  return inputs;
}

LogicalResult Program::query(ArrayRef<Array> arguments,
                             const PackedParameters &parameters,
                             SmallVectorImpl<SmallVector<int64_t>> &shapes,
                             int64_t &workspaceBytes, std::string &error) {
  if (failed(checkArguments(arguments, forwardFunction, error)))
    return failure();
  return callQuery(forwardFunction,
                   selectInputs(forwardFunction, arguments, parameters), shapes,
                   workspaceBytes, error);
}

LogicalResult Program::query(ArrayRef<Array> arguments,
                             SmallVectorImpl<SmallVector<int64_t>> &shapes,
                             int64_t &workspaceBytes, std::string &error) {
  if (failed(checkArguments(arguments, Function(), error)))
    return failure();
  // Packed parameters are static: their types tell all that a query reads.
  PackedParameters packed;
  for (RankedTensorType type : prepareFunction.results) {
    Array array;
    array.elementType = type.getElementType();
    array.shape.assign(type.getShape().begin(), type.getShape().end());
    packed.arrays.push_back(array);
  }
  SmallVector<Array> inputs = selectInputs(forwardFunction, arguments, packed);
  packed.arrays.clear();
  return callQuery(forwardFunction, inputs, shapes, workspaceBytes, error);
}

LogicalResult Program::forward(ArrayRef<Array> arguments,
                               const PackedParameters &parameters,
                               ArrayRef<Array> results, std::string &error) {
  SmallVector<SmallVector<int64_t>> shapes;
  int64_t bytes = 0;
  if (failed(query(arguments, parameters, shapes, bytes, error)))
    return failure();
  if (results.size() != shapes.size()) {
    error = "memory for " + std::to_string(results.size()) +
            " results is given; there must be " + std::to_string(shapes.size());
    return failure();
  }
  for (auto [array, info, shape] :
       llvm::zip_equal(results, getResults(), shapes)) {
    ValueInfo expected = info;
    expected.type = RankedTensorType::get(shape, info.type.getElementType());
    if (failed(checkArray(array, "result", expected, true, error)))
      return failure();
  }
  return call(forwardFunction,
              selectInputs(forwardFunction, arguments, parameters), results,
              bytes, error);
}

int64_t mlir::hyena::getElementBytes(Type type) {
  if (auto complexType = dyn_cast<ComplexType>(type))
    return 2 * getElementBytes(complexType.getElementType());
  if (type.isIndex())
    return 8;
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}
