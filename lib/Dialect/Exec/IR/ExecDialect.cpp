//===- ExecDialect.cpp - The exec dialect ---------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Dialect/Exec/IR/Exec.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::hyena::exec;

#include "hyena/Dialect/Exec/IR/ExecDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "hyena/Dialect/Exec/IR/ExecTypes.cpp.inc"

#define GET_OP_CLASSES
#include "hyena/Dialect/Exec/IR/ExecOps.cpp.inc"

void ExecDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "hyena/Dialect/Exec/IR/ExecTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "hyena/Dialect/Exec/IR/ExecOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// What the operations share
//===----------------------------------------------------------------------===//

/// Adds the effects of a destination-style operation on memrefs: inputs are
/// read, destinations written and not read.
static void
addEffects(DestinationStyleOpInterface op,
           SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
               &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<BaseMemRefType>(operand.get().getType()))
      continue;
    if (op.isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand,
                           SideEffects::DefaultResource::get());
    else
      effects.emplace_back(MemoryEffects::Read::get(), &operand,
                           SideEffects::DefaultResource::get());
  }
}

/// Whether two extents can be equal.
static bool mayEqual(int64_t left, int64_t right) {
  return ShapedType::isDynamic(left) || ShapedType::isDynamic(right) ||
         left == right;
}

//===----------------------------------------------------------------------===//
// GemmOp
//===----------------------------------------------------------------------===//

void GemmOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  addEffects(cast<DestinationStyleOpInterface>(getOperation()), effects);
}

bool GemmOp::isUsable(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) || strides.back() != 1)
    return false;
  if (type.getLayout().isIdentity())
    return true;
  for (int64_t i = 0; i + 2 < type.getRank(); ++i)
    if (ShapedType::isDynamic(strides[i]) ||
        ShapedType::isDynamic(strides[i + 1]) || type.isDynamicDim(i + 1) ||
        strides[i] != strides[i + 1] * type.getDimSize(i + 1))
      return false;
  return true;
}

LogicalResult GemmOp::verify() {
  struct Named {
    StringRef name;
    ShapedType type;
    int64_t rank;
  };
  const auto c = cast<ShapedType>(getInit().getType());
  const bool onTensors = isa<TensorType>(c);
  const Type elementType = c.getElementType();
  if (!c.hasRank() || c.getRank() < 2)
    return emitOpError() << "(C1) the destination is " << c
                         << "; it must have rank 2 at least";
  SmallVector<Named> operands = {
      {"left matrix", cast<ShapedType>(getA().getType()), c.getRank()},
      {"right matrix", cast<ShapedType>(getB().getType()), 2},
      {"destination", c, c.getRank()}};
  if (getBias())
    operands.push_back({"bias", cast<ShapedType>(getBias().getType()), 1});
  for (const Named &operand : operands) {
    if (!operand.type.hasRank() || operand.type.getRank() != operand.rank)
      return emitOpError() << "(C1) the " << operand.name << " is "
                           << operand.type << "; it must have rank "
                           << operand.rank;
    if (operand.type.getElementType() != elementType)
      return emitOpError() << "(C1) the " << operand.name
                           << " has the element type "
                           << operand.type.getElementType()
                           << ", the destination " << elementType
                           << "; they must be equal";
    if (isa<TensorType>(operand.type) != onTensors)
      return emitOpError() << "(C3) the " << operand.name << " is "
                           << operand.type << ", the destination " << c
                           << "; all must be tensors or all memrefs";
    auto memref = dyn_cast<MemRefType>(operand.type);
    if (memref && !isUsable(memref))
      return emitOpError()
             << "(C4) the " << operand.name << " is " << memref
             << "; its innermost stride must be 1 and its rows evenly spaced";
  }
  if (!elementType.isF32() && !elementType.isF64())
    return emitOpError() << "(C1) the element type is " << elementType
                         << "; it must be f32 or f64";
  const ShapedType a = operands[0].type, b = operands[1].type;
  const int64_t last = c.getRank() - 1;
  bool agree = mayEqual(a.getDimSize(last), b.getDimSize(1)) &&
               mayEqual(b.getDimSize(0), c.getDimSize(last)) &&
               (!getBias() ||
                mayEqual(operands[3].type.getDimSize(0), c.getDimSize(last)));
  for (int64_t i = 0; i < last; ++i)
    agree &= mayEqual(a.getDimSize(i), c.getDimSize(i));
  if (!agree)
    return emitOpError() << "(C2) the matrices are " << a << " and " << b
                         << " and the destination " << c
                         << "; they must be (m..., k), (n, k) and (m..., n), "
                            "and a bias (n)";
  if ((getResult() != nullptr) != onTensors)
    return emitOpError() << "(C3) "
                         << (onTensors ? "a tensor destination needs a result"
                                       : "a memref destination has no result");
  return success();
}

//===----------------------------------------------------------------------===//
// LaunchOp
//===----------------------------------------------------------------------===//

void LaunchOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  addEffects(cast<DestinationStyleOpInterface>(getOperation()), effects);
}

Type LaunchOp::getKernelType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return MemRefType::get(tensor.getShape(), tensor.getElementType());
  return type;
}

LogicalResult LaunchOp::verify() {
  if (const auto bytes = static_cast<int64_t>(getScratchBytes()); bytes < 0)
    return emitOpError() << "(C3) " << bytes
                         << " bytes of scratch memory; at least 0";
  int64_t tensors = 0, memrefs = 0, tensorInits = 0;
  for (Value value : llvm::concat<Value>(getInputs(), getInits())) {
    tensors += isa<TensorType>(value.getType());
    memrefs += isa<BaseMemRefType>(value.getType());
  }
  for (Value value : getInits())
    tensorInits += isa<TensorType>(value.getType());
  if (tensors && memrefs)
    return emitOpError() << "(C2) has " << tensors << " tensors and " << memrefs
                         << " memrefs; one sort alone is allowed";
  if (static_cast<int64_t>(getNumResults()) != tensorInits)
    return emitOpError() << "(C2) has " << getNumResults() << " results and "
                         << tensorInits
                         << " tensors among its destinations; there must be a "
                            "result for each";
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  Operation *symbol =
      symbolTable.lookupNearestSymbolFrom(*this, getKernelAttr());
  auto kernel = dyn_cast_or_null<FunctionOpInterface>(symbol);
  if (!kernel)
    return emitOpError() << "(C1) " << getKernelAttr()
                         << " is not a function of this module";
  // Once functions are converted to the LLVM dialect, types say less.
  if (!isa<func::FuncOp>(symbol))
    return success();
  SmallVector<Type> expected = {
      IndexType::get(getContext()),
      MemRefType::get({ShapedType::kDynamic},
                      IntegerType::get(getContext(), 8))};
  for (Value value : llvm::concat<Value>(getInputs(), getInits()))
    expected.push_back(getKernelType(value.getType()));
  auto expectedType = FunctionType::get(getContext(), expected, {});
  if (kernel.getFunctionType() != expectedType) {
    InFlightDiagnostic diagnostic = emitOpError()
                                    << "(C1) the kernel must have the type "
                                    << expectedType << "; " << getKernelAttr()
                                    << " has " << kernel.getFunctionType();
    diagnostic.attachNote(symbol->getLoc()) << "the kernel is here";
    return diagnostic;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// ParallelForOp
//===----------------------------------------------------------------------===//

void ParallelForOp::build(OpBuilder &builder, OperationState &state,
                          Value items) {
  OpBuilder::InsertionGuard guard(builder);
  state.addOperands(items);
  Block *body = builder.createBlock(state.addRegion());
  body->addArgument(builder.getIndexType(), state.location);
  ensureTerminator(*state.regions.front(), builder, state.location);
}

ParseResult ParallelForOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::Argument index;
  OpAsmParser::UnresolvedOperand items;
  const Type indexType = parser.getBuilder().getIndexType();
  index.type = indexType;
  int64_t lower = 0;
  SMLoc lowerLoc;
  if (parser.parseArgument(index) || parser.parseEqual() ||
      parser.getCurrentLocation(&lowerLoc) || parser.parseInteger(lower) ||
      parser.parseKeyword("to") || parser.parseOperand(items) ||
      parser.resolveOperand(items, indexType, result.operands))
    return failure();
  if (lower != 0)
    return parser.emitError(lowerLoc, "the first index must be 0");
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, {index}) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), result.location);
  return success();
}

void ParallelForOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getIndex() << " = 0 to " << getItems() << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/false);
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
}

LogicalResult ParallelForOp::verifyRegions() {
  if (getBody().getNumArguments() != 1 ||
      !getBody().getArgument(0).getType().isIndex())
    return emitOpError("(C1) the body must have one argument, an index");
  return success();
}

//===----------------------------------------------------------------------===//
// WorkspaceOp
//===----------------------------------------------------------------------===//

LogicalResult WorkspaceOp::verify() {
  auto type = cast<MemRefType>(getResult().getType());
  if (type.getRank() != 1 || !type.isDynamicDim(0) ||
      !type.getLayout().isIdentity())
    return emitOpError() << "the result is " << type
                         << "; it must be memref<?xi8>";
  return success();
}
