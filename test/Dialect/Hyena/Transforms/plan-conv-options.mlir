// Wrong if an option out of range is taken.
// RUN: not hyena-opt %s --hyena-plan-conv=lanes=0 2>&1 | FileCheck %s
// RUN: not hyena-opt %s --hyena-assign-layout=target=tpu 2>&1 | FileCheck %s --check-prefix=TARGET

// CHECK: error: hyena-plan-conv: 'lanes' is 0 and 'max-radix' is 8, expected 1 and 2 at least
// TARGET: error: hyena-assign-layout: 'target' is 'tpu', expected 'cpu' or 'gpu'
module {
}
