// Wrong if anything but project, fused_conv and project is left of the
// reference operator once parameters are hoisted.
// RUN: hyena-opt %hyena_src_root/examples/hyena.mlir --hyena-fuse --hyena-hoist-params | FileCheck %s
// RUN: hyena-opt %hyena_src_root/examples/hyena.mlir --hyena-fuse --hyena-plan-conv --hyena-assign-layout --hyena-hoist-params | FileCheck %s --check-prefixes=CHECK,PLAN

// CHECK-LABEL: func @prepare
// PLAN: hyena.pack_filter
// CHECK-LABEL: func @forward
// CHECK-NOT: "{{.*}}" = {{[^h]}}
// CHECK: hyena.project
// CHECK-NEXT: hyena.fused_conv
// The gates' short convolutions and biases, and nothing on the value.
// CHECK: prologue {
// CHECK-NEXT: ^bb0(%[[V:[a-z0-9]+]]: f32,
// CHECK-NEXT: hyena.yield %[[V]] : f32
// CHECK: epilogue {
// CHECK: : tensor<2x2048x256xf32>
// CHECK-NEXT: hyena.project
// CHECK-NEXT: return
