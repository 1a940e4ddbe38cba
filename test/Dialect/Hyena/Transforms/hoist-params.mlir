// Wrong if work on parameters stays in @forward, other work leaves it, or an
// argument cannot be traced.
// RUN: hyena-opt %s --hyena-hoist-params --split-input-file | FileCheck %s

// Inputs first, then parameters that are read as they are, then packed values.
// Constants and repetitions are made on either side.
// CHECK-LABEL: func @prepare(
// CHECK-SAME: %[[W:.*]]: tensor<4x3xf32> {hyena.param}, %[[S:.*]]: tensor<3xf32> {hyena.param}, %{{.*}}: tensor<7xf32> {hyena.param}) -> (tensor<4x3xf32>, tensor<3xf32>)
// CHECK-SAME: hyena.entry = "one", hyena.role = "prepare", hyena.sources = array<i64: 0, 2, 3>
// CHECK-DAG: %[[E:.*]] = math.exp %[[W]]
// CHECK-DAG: %[[T:.*]] = math.sin %[[S]]
// CHECK-NOT: hyena.broadcast
// CHECK: return %[[E]], %[[T]]
// CHECK-LABEL: func @forward(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>, %[[S:.*]]: tensor<3xf32> {hyena.param}, %[[E:.*]]: tensor<4x3xf32> {hyena.packed}, %[[T:.*]]: tensor<3xf32> {hyena.packed}) -> (tensor<2x4xf32>, tensor<3xf32>)
// CHECK-SAME: hyena.entry = "one", hyena.role = "forward", hyena.sources = array<i64: 1, 2, -1, -2>
// CHECK: %[[LIKE:.*]] = tensor.empty() : tensor<2x3xf32>
// CHECK: %[[B:.*]] = hyena.broadcast %[[T]] like %[[LIKE]]
// CHECK: %[[Y:.*]] = arith.mulf %[[X]], %[[B]]
// CHECK: %[[P:.*]] = hyena.project %[[Y]], %[[E]]
// CHECK: return %[[P]], %[[S]]
func.func @one(%w: tensor<4x3xf32> {hyena.param}, %x: tensor<2x3xf32>,
               %s: tensor<3xf32> {hyena.param}, %unused: tensor<7xf32> {hyena.param}) -> (tensor<2x4xf32>, tensor<3xf32>) {
  %like = tensor.empty() : tensor<2x3xf32>
  %e = math.exp %w : tensor<4x3xf32>
  %t = math.sin %s : tensor<3xf32>
  %b = hyena.broadcast %t like %like {dims = array<i64: 1>} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = arith.mulf %x, %b : tensor<2x3xf32>
  %p = hyena.project %y, %e : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  return %p, %s : tensor<2x4xf32>, tensor<3xf32>
}
func.func @without(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  return %x : tensor<2x3xf32>
}

// -----

// Two functions keep their names.
// CHECK-LABEL: func @a_prepare
// CHECK-LABEL: func @a_forward
// CHECK-LABEL: func @b_prepare
// CHECK-LABEL: func @b_forward
func.func @a(%x: tensor<3xf32>, %w: tensor<3xf32> {hyena.param}) -> tensor<3xf32> {
  %e = math.exp %w : tensor<3xf32>
  %y = arith.mulf %x, %e : tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func @b(%x: tensor<3xf32>, %w: tensor<3xf32> {hyena.param}) -> tensor<3xf32> {
  %y = arith.mulf %x, %w : tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

// Several blocks, and a region that captures a packed value.
// CHECK-LABEL: func @prepare
// CHECK: math.exp
// CHECK: return
// CHECK-LABEL: func @forward
// CHECK-SAME: %[[E:[a-z0-9]+]]: tensor<3xf32> {hyena.packed})
// CHECK: cf.cond_br
// CHECK: scf.if
// CHECK: scf.yield %[[E]]
func.func @blocks(%x: tensor<3xf32>, %flag: i1, %w: tensor<3xf32> {hyena.param}) -> tensor<3xf32> {
  %e = math.exp %w : tensor<3xf32>
  cf.cond_br %flag, ^one, ^two(%x : tensor<3xf32>)
^one:
  %r = scf.if %flag -> tensor<3xf32> {
    scf.yield %e : tensor<3xf32>
  } else {
    scf.yield %x : tensor<3xf32>
  }
  cf.br ^two(%r : tensor<3xf32>)
^two(%y: tensor<3xf32>):
  return %y : tensor<3xf32>
}
