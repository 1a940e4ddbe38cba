// Wrong if an operation that this pass does not take is left without a word.
// RUN: hyena-opt %s --convert-hyena-to-linalg --verify-diagnostics

func.func @layer(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>) -> tensor<2x4xf32> {
  // expected-error @below {{'hyena.project' op is not lowered by this pass}}
  %y = hyena.project %x, %w : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}
