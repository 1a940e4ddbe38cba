//===- VectorBuilder.cpp - the FFT emitter's builder on vectors -----------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace mlir::hyena;

Value VectorBuilder::add(Value a, Value b) {
  return arith::AddFOp::create(builder, loc, a, b);
}

Value VectorBuilder::sub(Value a, Value b) {
  return arith::SubFOp::create(builder, loc, a, b);
}

Value VectorBuilder::mul(Value a, Value b) {
  return arith::MulFOp::create(builder, loc, a, b);
}

Value VectorBuilder::fma(Value a, Value b, Value c) {
  if (!fusedMultiplyAdd)
    return add(mul(a, b), c);
  return vector::FMAOp::create(builder, loc, a, b, c);
}

Value VectorBuilder::neg(Value a) {
  return arith::NegFOp::create(builder, loc, a);
}

Value VectorBuilder::constant(double value) {
  TypedAttr attr = DenseElementsAttr::get(
      cast<ShapedType>(vectorType),
      cast<Attribute>(builder.getFloatAttr(element, value)));
  Value &result = constants[attr];
  if (!result) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry);
    result = arith::ConstantOp::create(builder, loc, attr);
  }
  return result;
}

Value VectorBuilder::index(int64_t value) {
  TypedAttr attr = builder.getIndexAttr(value);
  Value &result = constants[attr];
  if (!result) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry);
    result = arith::ConstantOp::create(builder, loc, attr);
  }
  return result;
}

Value VectorBuilder::addIndex(Value a, Value b) {
  return builder.createOrFold<arith::AddIOp>(loc, a, b);
}

Value VectorBuilder::mulIndex(Value a, int64_t b) {
  if (b == 1)
    return a;
  return builder.createOrFold<arith::MulIOp>(loc, a, index(b));
}

void VectorBuilder::forLoop(int64_t lower, int64_t upper, int64_t step,
                            llvm::function_ref<void(Value)> body) {
  if (lower >= upper)
    return;
  scf::ForOp loop =
      scf::ForOp::create(builder, loc, index(lower), index(upper), index(step));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  body(loop.getInductionVar());
}

SmallVector<Value> VectorBuilder::transpose(SmallVector<Value> rows) {
  // Exchange the off-diagonal halves of every square, then of its quarters.
  int64_t lanes = rows.size();
  for (int64_t half = lanes / 2; half > 0; half /= 2) {
    SmallVector<int64_t> upper, lower;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      bool left = (lane & half) == 0;
      upper.push_back(left ? lane : lanes + lane - half);
      lower.push_back(left ? lane + half : lanes + lane);
    }
    for (int64_t row = 0; row < lanes; ++row) {
      if (row & half)
        continue;
      Value a = rows[row], b = rows[row + half];
      rows[row] = vector::ShuffleOp::create(builder, loc, a, b, upper);
      rows[row + half] = vector::ShuffleOp::create(builder, loc, a, b, lower);
    }
  }
  return rows;
}

Value VectorBuilder::loadRow(Value memref, Value row) {
  auto type = VectorType::get(
      {getLanes()}, cast<MemRefType>(memref.getType()).getElementType());
  return vector::LoadOp::create(builder, loc, type, memref,
                                ValueRange{row, index(0)});
}

void VectorBuilder::storeRow(Value memref, Value row, Value vector) {
  vector::StoreOp::create(builder, loc, vector, memref,
                          ValueRange{row, index(0)});
}

VectorBuilder::Complex VectorBuilder::loadTwiddle(int64_t pass, Value entry) {
  auto part = [&](int64_t which) -> Value {
    Value scalar = memref::LoadOp::create(builder, loc, twiddles[pass],
                                          ValueRange{entry, index(which)});
    return vector::BroadcastOp::create(builder, loc, vectorType, scalar);
  };
  Value cosine = part(0);
  return {cosine, part(1)};
}

VectorBuilder::Complex VectorBuilder::loadPair(Value memref, Value leading,
                                               Value at) {
  auto part = [&](int64_t which) -> Value {
    SmallVector<Value> indices;
    if (leading)
      indices.push_back(leading);
    indices.append({at, index(which), index(0)});
    return vector::LoadOp::create(builder, loc, vectorType, memref, indices);
  };
  Value re = part(0);
  return {re, part(1)};
}

void VectorBuilder::storePair(Value memref, Value leading, Value at,
                              Complex value) {
  for (int64_t which : {0, 1}) {
    SmallVector<Value> indices;
    if (leading)
      indices.push_back(leading);
    indices.append({at, index(which), index(0)});
    vector::StoreOp::create(builder, loc, which ? value.im : value.re, memref,
                            indices);
  }
}

/// `values` in the precision of `element`.
static DenseElementsAttr tableAttr(RankedTensorType type,
                                   ArrayRef<double> values) {
  if (type.getElementType().isF64())
    return DenseElementsAttr::get(type, values);
  SmallVector<float> narrow(values.begin(), values.end());
  return DenseElementsAttr::get(type, ArrayRef<float>(narrow));
}

SmallVector<Value> mlir::hyena::getTwiddleTables(ModuleOp module,
                                                 OpBuilder &builder,
                                                 Location loc,
                                                 const ::hyena::fft::Plan &plan,
                                                 FloatType element) {
  SmallVector<Value> tables;
  for (int64_t index = 0; index + 1 < plan.passes(); ++index) {
    // A table depends on these only, so plans share what they have in common.
    ::hyena::fft::Pass pass = plan.pass(index);
    std::string name = ("hyena_twiddles_f" + Twine(element.getWidth()) + "_" +
                        Twine(pass.size) + "_" + Twine(pass.radix) +
                        (index == 0 ? "_twisted" : ""))
                           .str();
    auto global = dyn_cast_or_null<memref::GlobalOp>(
        SymbolTable::lookupSymbolIn(module, name));
    if (!global) {
      std::vector<double> values = plan.twiddles(index);
      SmallVector<int64_t> shape = {static_cast<int64_t>(values.size() / 2), 2};
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(module.getBody());
      global = memref::GlobalOp::create(
          builder, loc, name, builder.getStringAttr("private"),
          MemRefType::get(shape, element),
          tableAttr(RankedTensorType::get(shape, element), values),
          /*constant=*/true, /*alignment=*/builder.getI64IntegerAttr(64));
    }
    tables.push_back(memref::GetGlobalOp::create(builder, loc, global.getType(),
                                                 global.getSymName()));
  }
  return tables;
}
