//===- ExecToLLVM.cpp - Lowering of exec to LLVM --------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Conversion/ExecToLLVM.h"

#include "hyena-c/Runtime.h"
#include "hyena/Dialect/Exec/IR/Exec.h"

#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::hyena;
using namespace mlir::hyena::exec;

static Value createI64(OpBuilder &builder, Location loc, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                  builder.getI64IntegerAttr(value));
}

/// Declares a function of the runtime and calls it.
static LogicalResult callRuntime(ConversionPatternRewriter &rewriter,
                                 Operation *op, StringRef name,
                                 ValueRange arguments) {
  auto module = op->getParentOfType<ModuleOp>();
  FailureOr<LLVM::LLVMFuncOp> function = LLVM::lookupOrCreateFn(
      rewriter, module, name, llvm::to_vector(arguments.getTypes()),
      LLVM::LLVMVoidType::get(rewriter.getContext()));
  if (failed(function))
    return failure();
  LLVM::CallOp::create(rewriter, op->getLoc(), *function, arguments);
  return success();
}

/// The pointer to the first element of a buffer.
static Value getPointer(OpBuilder &builder, Location loc,
                        const LLVMTypeConverter &converter, Value descriptor,
                        MemRefType type) {
  return MemRefDescriptor(descriptor).bufferPtr(builder, loc, converter, type);
}

namespace {

struct GemmLowering : ConvertOpToLLVMPattern<GemmOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(GemmOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getRuntime())
      return rewriter.notifyMatchFailure(op, "has no runtime context");
    auto aType = dyn_cast<MemRefType>(op.getA().getType());
    auto bType = dyn_cast<MemRefType>(op.getB().getType());
    auto cType = dyn_cast<MemRefType>(op.getInit().getType());
    if (!aType || !bType || !cType)
      return rewriter.notifyMatchFailure(op, "is not bufferized");
    const Location loc = op.getLoc();
    MemRefDescriptor a(adaptor.getA()), b(adaptor.getB()), c(adaptor.getInit());
    const int64_t last = cType.getRank() - 1;
    Value m = c.size(rewriter, loc, 0);
    for (int64_t i = 1; i < last; ++i)
      m = LLVM::MulOp::create(rewriter, loc, m, c.size(rewriter, loc, i));
    const LLVMTypeConverter &converter = *getTypeConverter();
    Value bias = LLVM::ZeroOp::create(rewriter, loc, getPtrType());
    if (op.getBias())
      bias = getPointer(rewriter, loc, converter, adaptor.getBias(),
                        cast<MemRefType>(op.getBias().getType()));
    Value dtype = LLVM::ConstantOp::create(
        rewriter, loc, rewriter.getI32Type(),
        rewriter.getI32IntegerAttr(cType.getElementType().isF64()
                                       ? HYENA_DTYPE_F64
                                       : HYENA_DTYPE_F32));
    SmallVector<Value> arguments = {
        adaptor.getRuntime(),
        dtype,
        m,
        c.size(rewriter, loc, last),
        b.size(rewriter, loc, 1),
        getPointer(rewriter, loc, converter, adaptor.getA(), aType),
        a.stride(rewriter, loc, last - 1),
        getPointer(rewriter, loc, converter, adaptor.getB(), bType),
        b.stride(rewriter, loc, 0),
        bias,
        getPointer(rewriter, loc, converter, adaptor.getInit(), cType),
        c.stride(rewriter, loc, last - 1)};
    if (failed(callRuntime(rewriter, op, "hyenaGemm", arguments)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

struct LaunchLowering : ConvertOpToLLVMPattern<LaunchOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(LaunchOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getRuntime())
      return rewriter.notifyMatchFailure(op, "has no runtime context");
    const Location loc = op.getLoc();
    // The kernel's arguments after item and scratch, with buffers as pointers,
    // extents and strides.
    SmallVector<Value> fields;
    auto addFields = [&](ValueRange originals, ValueRange converted) {
      for (auto [original, value] : llvm::zip_equal(originals, converted)) {
        if (auto type = dyn_cast<MemRefType>(original.getType()))
          MemRefDescriptor::unpack(rewriter, loc, value, type, fields);
        else
          fields.push_back(value);
      }
    };
    addFields(op.getInputs(), adaptor.getInputs());
    addFields(op.getInits(), adaptor.getInits());
    auto structType = LLVM::LLVMStructType::getLiteral(
        rewriter.getContext(), llvm::to_vector(ValueRange(fields).getTypes()));
    LLVM::LLVMFuncOp entry = createEntry(rewriter, op, structType);

    auto parent = op->getParentOfType<FunctionOpInterface>();
    Value arguments;
    {
      // Memory of the entry block lasts for the whole call, also in a loop.
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(&parent.getFunctionBody().front());
      arguments = LLVM::AllocaOp::create(
          rewriter, loc, getPtrType(), structType, createI64(rewriter, loc, 1));
    }
    for (auto [i, field] : llvm::enumerate(fields))
      LLVM::StoreOp::create(rewriter, loc, field,
                            createField(rewriter, loc, structType, arguments,
                                        static_cast<int32_t>(i)));
    Value function = LLVM::AddressOfOp::create(rewriter, loc, entry);
    if (failed(callRuntime(
            rewriter, op, "hyenaParallelFor",
            {adaptor.getRuntime(), adaptor.getItems(), function, arguments,
             createI64(rewriter, loc,
                       static_cast<int64_t>(op.getScratchBytes()))})))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }

  Value createField(OpBuilder &builder, Location loc, Type structType,
                    Value base, int32_t index) const {
    return LLVM::GEPOp::create(builder, loc, getPtrType(), structType, base,
                               ArrayRef<LLVM::GEPArg>{0, index});
  }

  /// void NAME_entry(ptr arguments, i64 item, ptr scratch), which reads the
  /// kernel's arguments and calls it.
  LLVM::LLVMFuncOp createEntry(ConversionPatternRewriter &rewriter, LaunchOp op,
                               LLVM::LLVMStructType structType) const {
    OpBuilder::InsertionGuard guard(rewriter);
    auto module = op->getParentOfType<ModuleOp>();
    const Location loc = op.getLoc();
    std::string name;
    for (int64_t i = 0; name.empty() || module.lookupSymbol(name); ++i)
      name = (op.getKernel() + "_entry_" + Twine(i)).str();
    rewriter.setInsertionPointToEnd(module.getBody());
    const Type pointer = getPtrType(), i64 = rewriter.getI64Type();
    const Type nothing = LLVM::LLVMVoidType::get(rewriter.getContext());
    auto entry = LLVM::LLVMFuncOp::create(
        rewriter, loc, name,
        LLVM::LLVMFunctionType::get(nothing, {pointer, i64, pointer}),
        LLVM::Linkage::Internal);
    Block *block = entry.addEntryBlock(rewriter);
    rewriter.setInsertionPointToStart(block);
    Value scratch = block->getArgument(2);
    SmallVector<Value> arguments = {
        block->getArgument(1),
        scratch,
        scratch,
        createI64(rewriter, loc, 0),
        createI64(rewriter, loc, static_cast<int64_t>(op.getScratchBytes())),
        createI64(rewriter, loc, 1)};
    for (auto [i, type] : llvm::enumerate(structType.getBody()))
      arguments.push_back(LLVM::LoadOp::create(
          rewriter, loc, type,
          createField(rewriter, loc, structType, block->getArgument(0),
                      static_cast<int32_t>(i))));
    LLVM::CallOp::create(rewriter, loc, TypeRange(), op.getKernel(), arguments);
    LLVM::ReturnOp::create(rewriter, loc, ValueRange());
    return entry;
  }
};

struct ExecToLLVMInterface : public ConvertToLLVMPatternInterface {
  using ConvertToLLVMPatternInterface::ConvertToLLVMPatternInterface;

  void loadDependentDialects(MLIRContext *context) const final {
    context->loadDialect<LLVM::LLVMDialect>();
  }

  void populateConvertToLLVMConversionPatterns(
      ConversionTarget &target, LLVMTypeConverter &typeConverter,
      RewritePatternSet &patterns) const final {
    typeConverter.addConversion([](ContextType type) -> Type {
      return LLVM::LLVMPointerType::get(type.getContext());
    });
    target.addIllegalDialect<ExecDialect>();
    patterns.add<GemmLowering, LaunchLowering>(typeConverter);
  }
};

} // namespace

void mlir::hyena::registerConvertExecToLLVMInterface(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, ExecDialect *dialect) {
    dialect->addInterfaces<ExecToLLVMInterface>();
  });
}
