//===- Evaluator.cpp - evaluates operations -------------------------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

#include "Constants.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

#include <limits>
#include <new>

namespace hyena::interp {

using namespace mlir;
using mlir::failure;
using mlir::success;

/// Calls deeper than this are taken for an endless recursion.
static constexpr int64_t kMaxDepth = 200;

const Handler *HandlerTable::find(Operation *op) const {
  auto entry = handlers.find(op->getName().getStringRef());
  return entry == handlers.end() ? nullptr : &entry->second;
}

static const HandlerTable &handlerTable() {
  static const HandlerTable table = [] {
    HandlerTable result;
    addTensorHandlers(result);
    addSliceHandlers(result);
    addControlHandlers(result);
    addLayerHandlers(result);
    addConvolutionHandlers(result);
    addTransformHandlers(result);
    addFusedHandlers(result);
    return result;
  }();
  return table;
}

std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (auto [i, extent] : llvm::enumerate(shape)) {
    text += i ? ", " : "";
    text += ShapedType::isDynamic(extent) ? "?" : std::to_string(extent);
  }
  return text + "]";
}

/// Whether a value of this shape can be of type `type`.
static bool fits(ArrayRef<int64_t> shape, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return shape.empty() || isa<UnrankedTensorType>(type);
  return succeeded(verifyCompatibleShape(tensor.getShape(), shape));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

LogicalResult Evaluator::set(mlir::Value value, ValueRef data) {
  if (!fits(data->shape, value.getType())) {
    InFlightDiagnostic diag = emitError(value.getLoc());
    if (auto result = dyn_cast<OpResult>(value))
      diag << "'" << result.getOwner()->getName() << "' op result "
           << result.getResultNumber();
    else
      diag << "block argument " << cast<BlockArgument>(value).getArgNumber();
    return diag << " has the shape " << shapeText(data->shape)
                << " at run time, expected " << value.getType();
  }
  (*environment)[value] = std::move(data);
  return success();
}

SmallVector<int64_t> Evaluator::integers(ArrayRef<OpFoldResult> values) const {
  SmallVector<int64_t> result;
  for (OpFoldResult value : values) {
    if (auto attribute = dyn_cast<Attribute>(value))
      result.push_back(cast<IntegerAttr>(attribute).getInt());
    else
      result.push_back(integer(cast<mlir::Value>(value)));
  }
  return result;
}

LogicalResult Evaluator::checkSize(Operation *op,
                                   ArrayRef<int64_t> shape) const {
  int64_t count = 1;
  bool overflow = false;
  for (int64_t extent : shape) {
    if (extent < 0)
      return op->emitOpError() << "makes a tensor of shape " << shapeText(shape)
                               << ", expected no negative extent";
    overflow |= llvm::MulOverflow(count, extent, count);
  }
  bool isEmpty = llvm::is_contained(shape, 0);
  if (!isEmpty && (overflow || count > options.maxElements))
    return op->emitOpError()
           << "makes a tensor of shape " << shapeText(shape) << ", expected "
           << options.maxElements << " elements at most";
  return success();
}

FailureOr<Value> Evaluator::allocate(Operation *op, Type type,
                                     ArrayRef<int64_t> shape,
                                     bool unset) const {
  std::optional<Kind> kind = kindOf(type);
  if (!kind)
    return op->emitError() << "the interpreter does not know the type "
                           << getElementTypeOrSelf(type);
  if (failed(checkSize(op, shape)))
    return failure();
  Value value;
  value.kind = *kind;
  value.shape.assign(shape.begin(), shape.end());
  int64_t count = value.numElements();
  double filler = unset ? std::numeric_limits<double>::quiet_NaN() : 0.0;
  if (*kind == Kind::Real)
    value.reals.resize(count, filler);
  else if (*kind == Kind::Complex)
    value.complexes.resize(count, {filler, filler});
  else
    value.integers.resize(count);
  return value;
}

//===----------------------------------------------------------------------===//
// Blocks and functions
//===----------------------------------------------------------------------===//

LogicalResult Evaluator::evaluateConstant(Operation *op, Attribute constant) {
  Type type = op->getResult(0).getType();
  // A splat may ask for more memory than there is.
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    if (tensor.hasStaticShape() && failed(checkSize(op, tensor.getShape())))
      return failure();
  FailureOr<Value> value = convertAttribute(op, constant, type);
  if (failed(value))
    return failure();
  return set(op->getResult(0), std::move(*value));
}

LogicalResult Evaluator::evaluateKnown(Operation *op) {
  if (const Handler *handler = handlerTable().find(op))
    return (*handler)(*this, op);
  Attribute constant;
  if (op->getNumResults() == 1 && op->getNumOperands() == 0 &&
      matchPattern(op, m_Constant(&constant)))
    return evaluateConstant(op, constant);
  if (isa<linalg::LinalgOp, linalg::SoftmaxOp>(op))
    return evaluateLinalg(*this, op);
  if (op->getNumResults() == 1 && op->getNumRegions() == 0 && findKernel(op))
    return evaluateElementwise(*this, op);
  return op->emitError() << "the interpreter does not know '" << op->getName()
                         << "'" << (findKernel(op) ? " in this form" : "");
}

LogicalResult Evaluator::evaluate(Operation *op) {
  try {
    return evaluateKnown(op);
  } catch (const std::bad_alloc &) {
    return op->emitOpError() << "needs more memory than there is";
  }
}

FailureOr<SmallVector<ValueRef>> Evaluator::evaluateBlock(Block &block) {
  // The last operation that reads each value made here, so that large tensors
  // do not outlive their use.
  DenseMap<Operation *, SmallVector<mlir::Value>> lastReads;
  for (Operation &op : block)
    for (mlir::Value result : op.getResults()) {
      Operation *last = &op;
      for (Operation *user : result.getUsers()) {
        Operation *ancestor = block.findAncestorOpInBlock(*user);
        if (ancestor && last->isBeforeInBlock(ancestor))
          last = ancestor;
      }
      lastReads[last].push_back(result);
    }

  for (Operation &op : block.without_terminator()) {
    if (failed(evaluate(&op)))
      return failure();
    for (mlir::Value value : lastReads.lookup(&op))
      environment->erase(value);
  }
  SmallVector<ValueRef> results;
  for (mlir::Value value : block.getTerminator()->getOperands())
    results.push_back(get(value));
  return results;
}

FailureOr<SmallVector<ValueRef>> Evaluator::call(FunctionOpInterface function,
                                                 ArrayRef<ValueRef> args,
                                                 Operation *caller) {
  Region &body = function.getFunctionBody();
  if (body.empty())
    return caller->emitError()
           << "the function '" << function.getName() << "' has no body";
  if (!body.hasOneBlock())
    return function.emitError()
           << "the interpreter does not know functions of several blocks";
  if (depth >= kMaxDepth)
    return caller->emitError() << "calls nest more than " << kMaxDepth
                               << " deep at '" << function.getName() << "'";
  Environment local;
  Environment *outer = std::exchange(environment, &local);
  ++depth;
  auto leave = [&] {
    environment = outer;
    --depth;
  };
  for (auto [argument, value] : llvm::zip(body.getArguments(), args)) {
    if (failed(set(argument, value))) {
      leave();
      return failure();
    }
  }
  FailureOr<SmallVector<ValueRef>> results = evaluateBlock(body.front());
  leave();
  return results;
}

static FunctionOpInterface findFunction(ModuleOp module, StringRef name) {
  return dyn_cast_or_null<FunctionOpInterface>(
      SymbolTable::lookupSymbolIn(module, name));
}

/// Checks the arguments that come from outside.
static LogicalResult checkArguments(FunctionOpInterface function,
                                    ArrayRef<Value> args) {
  ArrayRef<Type> types = function.getArgumentTypes();
  if (args.size() != types.size())
    return function.emitError()
           << "'" << function.getName() << "' is given " << args.size()
           << " arguments, expected " << types.size();
  for (auto [i, arg, type] : llvm::enumerate(args, types)) {
    std::optional<Kind> kind = kindOf(type);
    if (!kind || isa<MemRefType>(type))
      return function.emitError()
             << "argument " << i << " of '" << function.getName() << "' is "
             << type << ", which the interpreter does not know";
    if (arg.kind != *kind || !fits(arg.shape, type))
      return function.emitError()
             << "argument " << i << " of '" << function.getName() << "' is "
             << kindName(arg.kind) << " of shape " << shapeText(arg.shape)
             << ", expected " << type;
    size_t elements =
        arg.reals.size() + arg.complexes.size() + arg.integers.size();
    if (elements != static_cast<size_t>(arg.numElements()))
      return function.emitError()
             << "argument " << i << " of '" << function.getName() << "' has "
             << elements << " elements, expected " << arg.numElements()
             << " for the shape " << shapeText(arg.shape);
  }
  return success();
}

FailureOr<SmallVector<Value>> Evaluator::evaluateEntry(StringRef entry,
                                                       ArrayRef<Value> args) {
  FunctionOpInterface function = findFunction(module, entry);
  if (!function) {
    InFlightDiagnostic diag = emitError(module.getLoc())
                              << "there is no function '" << entry << "'";
    const char *separator = ", expected one of ";
    for (auto candidate : module.getOps<FunctionOpInterface>()) {
      diag << separator << "'" << candidate.getName() << "'";
      separator = ", ";
    }
    return diag;
  }
  if (failed(checkArguments(function, args)))
    return failure();
  if (options.timeSamples > 0)
    plan = SamplingPlan(function);

  SmallVector<ValueRef> inputs;
  for (const Value &arg : args)
    inputs.push_back(std::make_shared<Value>(arg));
  FailureOr<SmallVector<ValueRef>> outputs =
      call(function, inputs, function.getOperation());
  if (failed(outputs))
    return failure();
  SmallVector<Value> results;
  Operation *terminator = function.getFunctionBody().front().getTerminator();
  for (auto [value, operand] : llvm::zip(*outputs, terminator->getOperands())) {
    results.push_back(*value);
    int64_t dim = plan.timeDim(operand);
    if (dim < 0)
      continue;
    int64_t length = value->shape[dim];
    std::vector<int64_t> times = sampleTimes(length, options.timeSamples);
    if (static_cast<int64_t>(times.size()) == length)
      continue;
    results.back().sampledDim = dim;
    results.back().sampledIndices = std::move(times);
  }
  return results;
}

FailureOr<SmallVector<Value>> interpret(ModuleOp module, StringRef entry,
                                        ArrayRef<Value> args,
                                        const Options &options) {
  return Evaluator(module, options).evaluateEntry(entry, args);
}

} // namespace hyena::interp
