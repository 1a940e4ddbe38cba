// Wrong if a convolution's kernel has another signature or structure than
// hyena/Codegen/CPUKernels.h says.
// RUN: hyena-opt %s --convert-hyena-to-exec | FileCheck %s
// RUN: hyena-opt %s --convert-hyena-to-exec=fma=false | FileCheck %s --check-prefix=NOFMA

// The inner pass's table is shared by both kernels that use it, and constant.
// CHECK-DAG: memref.global "private" constant @hyena_twiddles_f32_64_8_twisted : memref<64x2xf32> = {{.*}} {alignment = 64 : i64}

// NOFMA-NOT: vector.fma

#plan = #hyena.fft_plan<length = 64, factors = [8, 8], lanes = 16>

// A bare prologue is read by the first pass: the scratch holds y and the state,
// (64 * 16 + 64 * 2 * 16) * 4 bytes, but no u.
// CHECK-LABEL: func @bare
// CHECK: exec.launch @bare_fused_conv_0 items(%{{.*}}) scratch 12288 kind "fused_conv"
func.func @bare(%x: tensor<3x64x32xf32>, %s: tensor<2x64x2x16xf32>) -> tensor<3x64x32xf32> {
  %y = hyena.fused_conv ins(%x : tensor<3x64x32xf32>)
      spectrum(%s : tensor<2x64x2x16xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, l, c)>]
      results [affine_map<(b, c, l) -> (b, l, c)>] {plan = #plan}
      prologue {
      ^bb0(%a: f32):
        hyena.yield %a : f32
      } epilogue {
      ^bb0(%c: f32, %u: f32, %a: f32):
        hyena.yield %c : f32
      } : tensor<3x64x32xf32>
  return %y : tensor<3x64x32xf32>
}

// Rows l and l - 1 of one stream are read in sequence, into a u of its own as
// the epilogue wants it too; 20 channels need a mask.
// CHECK-LABEL: func @short_convolution
// CHECK: exec.launch @short_convolution_fused_conv_0 items(%{{.*}}) scratch 16384 kind "fused_conv"
func.func @short_convolution(%x: tensor<3x64x20xf32>, %w: tensor<20x2xf32>,
                             %s: tensor<2x64x2x16xf32>) -> tensor<3x64x20xf32> {
  %y = hyena.fused_conv ins(%x, %w : tensor<3x64x20xf32>, tensor<20x2xf32>)
      spectrum(%s : tensor<2x64x2x16xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, l, c)>,
                #hyena.access<0, (b, c, l) -> (b, l - 1, c)>,
                #hyena.access<1, (b, c, l) -> (c, 0)>,
                #hyena.access<1, (b, c, l) -> (c, 1)>]
      results [affine_map<(b, c, l) -> (b, l, c)>] {plan = #plan}
      prologue {
      ^bb0(%a0: f32, %a1: f32, %w0: f32, %w1: f32):
        %0 = arith.mulf %a0, %w0 : f32
        %1 = arith.mulf %a1, %w1 : f32
        %2 = arith.addf %0, %1 : f32
        hyena.yield %2 : f32
      } epilogue {
      ^bb0(%c: f32, %u: f32, %a0: f32, %a1: f32, %w0: f32, %w1: f32):
        %0 = arith.addf %c, %u : f32
        hyena.yield %0 : f32
      } : tensor<3x64x20xf32>
  return %y : tensor<3x64x20xf32>
}

// CHECK-LABEL: func private @bare_fused_conv_0
// CHECK-SAME: (%[[ITEM:.*]]: index, %[[SCRATCH:.*]]: memref<?xi8>, %[[X:.*]]: memref<3x64x32xf32>, %[[S:.*]]: memref<2x64x2x16xf32>, %[[Y:.*]]: memref<3x64x32xf32>)
// CHECK: %[[B:.*]] = memref.dim %[[Y]]
// CHECK: %[[GROUP:.*]] = arith.divui %[[ITEM]], %[[B]]
// CHECK: %[[BATCH:.*]] = arith.remui %[[ITEM]], %[[B]]
// The first pass.
// CHECK: scf.for
// CHECK: vector.load %[[X]][%[[BATCH]], %{{.*}}, %{{.*}}] : memref<3x64x32xf32>, vector<16xf32>
// CHECK-NOT: vector.maskedload
// CHECK: vector.fma
// CHECK: vector.store %{{.*}} : memref<64x2x16xf32>, vector<16xf32>
// The leaf.
// CHECK: scf.for
// CHECK: vector.load %[[S]][%[[GROUP]], %{{.*}}] : memref<2x64x2x16xf32>, vector<16xf32>
// The last pass and the epilogue.
// CHECK: scf.for
// CHECK: vector.store %{{.*}} : memref<64x16xf32>, vector<16xf32>
// CHECK: scf.for
// CHECK: vector.store %{{.*}}, %[[Y]][%[[BATCH]], %{{.*}}, %{{.*}}] : memref<3x64x32xf32>, vector<16xf32>
// CHECK: return

// CHECK-LABEL: func private @short_convolution_fused_conv_0
// CHECK: %[[MASK:.*]] = vector.create_mask %{{.*}} : vector<16xi1>
// Row 0 reads before the beginning, so it is checked; the others are not.
// CHECK: scf.for
// CHECK: arith.cmpi ult
// CHECK: vector.maskedload %{{.*}} %[[MASK]]
// CHECK: scf.for
// CHECK-NOT: arith.cmpi
// CHECK: vector.maskedload %{{.*}} %[[MASK]]
// CHECK: arith.mulf %{{.*}} fastmath<contract> : vector<16xf32>
// CHECK: vector.maskedstore %{{.*}} %[[MASK]]
