// If this fails, the reference operator as PyTorch code spells it is not the
// same program as the graph of examples/hyena.mlir.
// RUN: hyena-opt %hyena_src_root/examples/hyena.mlir --hyena-raise --canonicalize -o %t.graph
// RUN: hyena-opt %hyena_src_root/examples/hyena_decomposed.mlir --hyena-raise --canonicalize -o %t.raised
// RUN: diff %t.graph %t.raised
// RUN: hyena-opt %t.graph --hyena-fuse --hyena-hoist-params --canonicalize -o %t.graph.fused
// RUN: hyena-opt %t.raised --hyena-fuse --hyena-hoist-params --canonicalize -o %t.raised.fused
// RUN: diff %t.graph.fused %t.raised.fused
// RUN: FileCheck %s --input-file=%t.raised.fused

// CHECK-LABEL: func.func @forward
// CHECK-NOT: hyena.fftconv
// CHECK: hyena.project
// CHECK-NEXT: hyena.fused_conv
// CHECK: hyena.project
// CHECK-NEXT: return

// Decomposed as a whole and raised again it is itself.
// RUN: hyena-opt %t.graph --hyena-decompose -o %t.decomposed
// RUN: FileCheck %s --check-prefix=DECOMPOSED --input-file=%t.decomposed
// RUN: hyena-opt %t.decomposed --hyena-raise --canonicalize -o %t.again
// RUN: diff %t.graph %t.again

// DECOMPOSED-NOT: hyena.fftconv
// DECOMPOSED: hyena.irfft
