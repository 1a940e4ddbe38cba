// The dialect or a pass would be missing in a tool that knows nothing of us.
// RUN: %mlir_opt_with_plugin %s --hyena-fuse | FileCheck %s
// RUN: %mlir_opt_with_plugin %s --pass-pipeline='builtin.module(func.func(hyena-fuse))' | FileCheck %s

// A plugin's flag would lose its place among the host's own.
// RUN: %mlir_opt_with_plugin %s --cse --hyena-fuse --canonicalize --mlir-print-ir-after-all -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ORDER

// CHECK-LABEL: func.func @gated
// CHECK-NOT: hyena.fftconv
// CHECK: hyena.fused_conv
// CHECK-NOT: hyena.gate
// ORDER: After CSE
// ORDER: After HyenaFuse
// ORDER: After Canonicalizer
func.func @gated(%u: tensor<1x8x64xf32>, %g: tensor<1x8x64xf32>, %h: tensor<8x64xf32>) -> tensor<1x8x64xf32> {
  %y = hyena.fftconv %u, %h : (tensor<1x8x64xf32>, tensor<8x64xf32>) -> tensor<1x8x64xf32>
  %r = hyena.gate %y, %g : (tensor<1x8x64xf32>, tensor<1x8x64xf32>) -> tensor<1x8x64xf32>
  return %r : tensor<1x8x64xf32>
}
