// Wrong if a model that is split into functions cannot be compiled as one.
// RUN: hyena-opt %s --inline | FileCheck %s

func.func private @mixer(%u: tensor<1x4x8xf32>, %h: tensor<4x8xf32>) -> tensor<1x4x8xf32> {
  %y = hyena.fftconv %u, %h : (tensor<1x4x8xf32>, tensor<4x8xf32>) -> tensor<1x4x8xf32>
  return %y : tensor<1x4x8xf32>
}

// CHECK-LABEL: func @model
// CHECK-NOT: call
// CHECK-COUNT-2: hyena.fftconv
func.func @model(%u: tensor<1x4x8xf32>, %h: tensor<4x8xf32>) -> tensor<1x4x8xf32> {
  %0 = call @mixer(%u, %h) : (tensor<1x4x8xf32>, tensor<4x8xf32>) -> tensor<1x4x8xf32>
  %1 = call @mixer(%0, %h) : (tensor<1x4x8xf32>, tensor<4x8xf32>) -> tensor<1x4x8xf32>
  return %1 : tensor<1x4x8xf32>
}
