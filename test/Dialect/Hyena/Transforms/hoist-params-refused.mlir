// Wrong if a function that others call is split, or a name is taken twice.
// RUN: not hyena-opt %s --hyena-hoist-params --split-input-file --remarks-filter=hyena-hoist-params 2>&1 | FileCheck %s

// CHECK-DAG: remark: [Missed] not-split | Category:hyena-hoist-params | Function=called | Reason="something in the module refers to it"
// CHECK-DAG: remark: [Missed] not-split | Category:hyena-hoist-params | Function=declared | Reason="it has no body"
// CHECK-DAG: error: hyena-hoist-params: function 'named' would become '@forward', which the module has already; rename one of them
func.func @called(%w: tensor<3xf32> {hyena.param}) -> tensor<3xf32> {
  return %w : tensor<3xf32>
}
func.func private @declared(tensor<3xf32> {hyena.param}) -> tensor<3xf32>
func.func @caller(%w: tensor<3xf32>) -> tensor<3xf32> {
  %r = func.call @called(%w) : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

func.func @forward() {
  return
}
func.func @named(%w: tensor<3xf32> {hyena.param}) -> tensor<3xf32> {
  return %w : tensor<3xf32>
}
