func.func @gated(%u: tensor<?x8x64xf32>, %h: tensor<8x64xf32> {hyena.param},
                 %g: tensor<?x8x64xf32>) -> tensor<?x8x64xf32> {
  %y = hyena.fftconv %u, %h : (tensor<?x8x64xf32>, tensor<8x64xf32>) -> tensor<?x8x64xf32>
  %r = hyena.gate %y, %g : (tensor<?x8x64xf32>, tensor<?x8x64xf32>) -> tensor<?x8x64xf32>
  return %r : tensor<?x8x64xf32>
}
