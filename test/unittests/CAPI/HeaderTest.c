//===- HeaderTest.c - The C interface, from C -----------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Would fail to compile if the header were not plain C.

#include "hyena-c/Compiler.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char text[] =
    "func.func @f(%u: tensor<1x1x3xf32>, %h: tensor<1x2xf32> {hyena.param})\n"
    "    -> tensor<1x1x3xf32> {\n"
    "  %0 = hyena.fftconv %u, %h : (tensor<1x1x3xf32>, tensor<1x2xf32>)\n"
    "      -> tensor<1x1x3xf32>\n"
    "  return %0 : tensor<1x1x3xf32>\n"
    "}\n";

static int run(const char *target) {
  HyenaCompileOptions options;
  memset(&options, 0, sizeof(options));
  options.size = sizeof(options);
  options.target = target;
  HyenaProgram *program = NULL;
  const char *message = NULL;
  if (hyenaProgramCreate(text, SIZE_MAX, &options, &program, &message)) {
    fprintf(stderr, "%s: %s\n", target, message);
    return 1;
  }
  float u[3] = {1, 2, 3}, h[2] = {1, 10}, y[3] = {0, 0, 0};
  int64_t signalShape[3] = {1, 1, 3}, filterShape[2] = {1, 2};
  HyenaTensor signal = {u, HYENA_ELEMENT_F32, 3, signalShape};
  HyenaTensor filter = {h, HYENA_ELEMENT_F32, 2, filterShape};
  HyenaTensor result = {y, HYENA_ELEMENT_F32, 3, signalShape};
  HyenaParameters *parameters = NULL;
  HyenaStatus status =
      hyenaProgramPrepare(program, &filter, 1, &parameters, &message);
  if (status == HYENA_STATUS_OK)
    status =
        hyenaProgramRun(program, parameters, &signal, 1, &result, 1, &message);
  hyenaParametersDestroy(parameters);
  hyenaProgramDestroy(program);
  if (status != HYENA_STATUS_OK) {
    fprintf(stderr, "%s: %s\n", target, message);
    return 1;
  }
  const float expected[3] = {1, 12, 23};
  for (int i = 0; i < 3; ++i)
    if (fabsf(y[i] - expected[i]) > 1e-5f) {
      fprintf(stderr, "%s: y[%d] is %g, not %g\n", target, i, y[i],
              expected[i]);
      return 1;
    }
  return 0;
}

int main(void) {
  if (hyenaCompilerVersion() !=
      HYENA_COMPILER_VERSION_MAJOR * 1000 + HYENA_COMPILER_VERSION_MINOR)
    return 1;
  return run("interpret") || run("cpu");
}
