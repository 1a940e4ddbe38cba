//===- HyenaPCH.cpp - the source file that CMake's PCH target wants -------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Empty on purpose: a target cannot precompile headers without a source file.
//
//===----------------------------------------------------------------------===//
