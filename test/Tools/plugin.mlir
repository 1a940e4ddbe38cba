// The dialect or a pass would be missing in a tool that knows nothing of us.
// RUN: %mlir_opt_with_plugin %s --hyena-raise | FileCheck %s
// RUN: %mlir_opt_with_plugin %s --pass-pipeline='builtin.module(hyena-raise)' | FileCheck %s

// A plugin's flag would lose its place among the host's own.
// RUN: %mlir_opt_with_plugin %s --cse --hyena-raise --canonicalize --mlir-print-ir-after-all -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ORDER

// CHECK-LABEL: func.func @long
// CHECK: hyena.fftconv
// ORDER: After CSE
// ORDER: After HyenaRaise
// ORDER: After Canonicalizer
func.func @long(%u: tensor<1x8x64xf32>, %h: tensor<8x64xf32>) -> tensor<1x8x64xf32> {
  %y = hyena.fftconv %u, %h : (tensor<1x8x64xf32>, tensor<8x64xf32>) -> tensor<1x8x64xf32>
  return %y : tensor<1x8x64xf32>
}
