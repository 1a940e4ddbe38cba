//===- HeaderTest.c - Runtime.h as C --------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/* Wrong if the header needs C++, or if the shared library hides a function of
   it. This file is C and uses the shared library alone. */

#include "hyena-c/Runtime.h"

#include <stdio.h>

static void store(void *args, int64_t index, void *scratch) {
  (void)scratch;
  ((double *)args)[index] = (double)index;
}

int main(void) {
  HyenaContext *context = NULL;
  const char *message = NULL;
  if (hyenaRuntimeVersion() / 1000 != HYENA_RUNTIME_VERSION_MAJOR)
    return 1;
  if (hyenaContextCreate("cpu", 2, &context, &message) != HYENA_STATUS_OK) {
    fprintf(stderr, "%s\n", message);
    return 2;
  }
  double values[10] = {0};
  hyenaParallelFor(context, 10, store, values, 0);
  double product = 0;
  hyenaGemm(context, HYENA_DTYPE_F64, 1, 1, 10, values, 10, values, 10, NULL,
            &product, 1);
  void *memory = hyenaAllocate(context, 100);
  hyenaFree(context, memory);
  HyenaStatus status = hyenaContextStatus(context, &message);
  hyenaContextDestroy(context);
  return status == HYENA_STATUS_OK && memory && product == 285.0 ? 0 : 3;
}
