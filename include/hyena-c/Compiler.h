//===- Compiler.h - C interface of the Hyena compiler ---------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/// \file
/// The interface of libHyenaCompiler: a graph as MLIR text goes in, a program
/// that runs on the caller's arrays comes out. It is plain C: handles are
/// opaque, a function that can fail returns a HyenaStatus (see Runtime.h), and
/// no C++ type or exception crosses it. Nothing here aborts the process or
/// prints.
///
/// Messages: where a function has a last parameter `const char **message`, it
/// may be null; a failing call stores a text there that is valid until the
/// same thread's next failing call. It names the operation or the argument,
/// what was found and what is allowed, and the location where there is one.
///
/// Threads: one program may be used from several threads at once, and ended
/// when no call on it is under way. HyenaParameters may outlive their program,
/// but run with no other.

#ifndef HYENA_C_COMPILER_H
#define HYENA_C_COMPILER_H

#include "hyena-c/Runtime.h"

/// The interface's version. A library serves a caller whose major number is
/// equal and whose minor number is not larger than its own.
#define HYENA_COMPILER_VERSION_MAJOR 0
#define HYENA_COMPILER_VERSION_MINOR 1

#define HYENA_COMPILER_EXPORT HYENA_RUNTIME_EXPORT

/// The extent of a dimension that is known only at run time.
#define HYENA_DYNAMIC INT64_MIN

#ifdef __cplusplus
extern "C" {
#endif

/// Element types of arguments and results.
typedef enum HyenaElementType {
  HYENA_ELEMENT_F32 = 0,
  HYENA_ELEMENT_F64 = 1,
  HYENA_ELEMENT_BF16 = 2,
  HYENA_ELEMENT_F16 = 3,
  HYENA_ELEMENT_COMPLEX64 = 4,
  HYENA_ELEMENT_COMPLEX128 = 5,
  HYENA_ELEMENT_I64 = 6,
  HYENA_ELEMENT_I32 = 7,
  HYENA_ELEMENT_BOOL = 8
} HyenaElementType;

/// An array of the caller: dense, row-major, in host memory, aligned to its
/// element. An input is not written; its memory need not be writable.
typedef struct HyenaTensor {
  void *data;
  HyenaElementType type;
  int64_t rank;
  const int64_t *shape;
} HyenaTensor;

/// An argument or a result of a program. The pointers live as long as it.
typedef struct HyenaValueInfo {
  /// The name in the text without its %, or `argN` or `resultN`.
  const char *name;
  HyenaElementType type;
  int64_t rank;
  /// Extents, HYENA_DYNAMIC for those known only at run time.
  const int64_t *shape;
  /// 1 for an argument with the attribute `hyena.param`.
  int32_t isParameter;
} HyenaValueInfo;

/// How to compile. Set `size` and clear the rest with zeros: zero is the
/// default everywhere.
typedef struct HyenaCompileOptions {
  /// sizeof(HyenaCompileOptions) as the caller knows it.
  size_t size;
  /// The function to compile; null: the only one there is.
  const char *entry;
  /// `cpu` or `interpret`; null: `cpu`.
  const char *target;
  /// Threads that a run uses, the caller's included; 0: HYENA_THREADS_DEFAULT.
  int64_t threads;
  /// What locations call the text; null: `<text>`.
  const char *fileName;
} HyenaCompileOptions;

/// A compiled function with the runtime context that it runs in.
typedef struct HyenaProgram HyenaProgram;

/// What a program has computed from its parameters.
typedef struct HyenaParameters HyenaParameters;

/// Returns major * 1000 + minor of the library that is loaded.
HYENA_COMPILER_EXPORT int32_t hyenaCompilerVersion(void);

/// Compiles one function of MLIR text (\p length bytes, or up to the first
/// null byte for SIZE_MAX) and stores it in \p program, null on failure.
HYENA_COMPILER_EXPORT HyenaStatus hyenaProgramCreate(
    const char *text, size_t length, const HyenaCompileOptions *options,
    HyenaProgram **program, const char **message);

/// Ends a program; null is allowed. No run may be under way.
HYENA_COMPILER_EXPORT void hyenaProgramDestroy(HyenaProgram *program);

/// Number of arguments, parameters included, in the order of the function.
HYENA_COMPILER_EXPORT int64_t
hyenaProgramArgumentCount(const HyenaProgram *program);

/// Number of results.
HYENA_COMPILER_EXPORT int64_t
hyenaProgramResultCount(const HyenaProgram *program);

/// Describes argument \p index.
HYENA_COMPILER_EXPORT HyenaStatus
hyenaProgramArgument(const HyenaProgram *program, int64_t index,
                     HyenaValueInfo *info, const char **message);

/// Describes result \p index.
HYENA_COMPILER_EXPORT HyenaStatus
hyenaProgramResult(const HyenaProgram *program, int64_t index,
                   HyenaValueInfo *info, const char **message);

/// The program as text at a stage: `graph` (as given), `fused`, `exec` or
/// `llvm`. The text lives as long as the program.
HYENA_COMPILER_EXPORT HyenaStatus hyenaProgramText(HyenaProgram *program,
                                                   const char *stage,
                                                   const char **text,
                                                   const char **message);

/// What the passes remarked, one a line: what was fused, and what was not and
/// why. The text lives as long as the program.
HYENA_COMPILER_EXPORT HyenaStatus hyenaProgramRemarks(HyenaProgram *program,
                                                      const char **text,
                                                      const char **message);

/// Does the work on parameters alone. \p tensors are all the parameters in the
/// order of the function; they are not needed afterwards. A program without
/// parameters takes none.
HYENA_COMPILER_EXPORT HyenaStatus hyenaProgramPrepare(
    HyenaProgram *program, const HyenaTensor *tensors, int64_t count,
    HyenaParameters **parameters, const char **message);

/// Ends what hyenaProgramPrepare made; null is allowed.
HYENA_COMPILER_EXPORT void hyenaParametersDestroy(HyenaParameters *parameters);

/// Writes the extents of result \p index for these inputs to \p shape, which
/// has room for as many as its rank. \p inputs are the arguments that are not
/// parameters, in the order of the function; their data is not read.
HYENA_COMPILER_EXPORT HyenaStatus hyenaProgramResultShape(
    HyenaProgram *program, const HyenaTensor *inputs, int64_t count,
    int64_t index, int64_t *shape, const char **message);

/// Bytes of working memory that a run on these inputs takes.
HYENA_COMPILER_EXPORT HyenaStatus
hyenaProgramWorkspaceBytes(HyenaProgram *program, const HyenaTensor *inputs,
                           int64_t count, int64_t *bytes, const char **message);

/// Runs the program. \p inputs as above; \p results are filled, and must not
/// overlap with each other or with an input. \p parameters may be null for a
/// program without any.
HYENA_COMPILER_EXPORT HyenaStatus hyenaProgramRun(
    HyenaProgram *program, const HyenaParameters *parameters,
    const HyenaTensor *inputs, int64_t inputCount, const HyenaTensor *results,
    int64_t resultCount, const char **message);

#ifdef __cplusplus
}
#endif

#endif // HYENA_C_COMPILER_H
