#===- HyenaToolchain.cmake - default compiler, linker and cache -------------===#
#
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# Included before project(), because that is where CMake settles on a compiler.
# Everything here is a default: CC, CXX, -DCMAKE_CXX_COMPILER,
# -DCMAKE_CXX_COMPILER_LAUNCHER and -DCMAKE_LINKER_TYPE override it.

if(NOT DEFINED CMAKE_CXX_COMPILER AND NOT DEFINED ENV{CXX})
  find_program(HYENA_CLANGXX NAMES clang++-22 PATHS /usr/lib/llvm-22/bin)
  find_program(HYENA_CLANG NAMES clang-22 PATHS /usr/lib/llvm-22/bin)
  mark_as_advanced(HYENA_CLANGXX HYENA_CLANG)
  if(HYENA_CLANGXX AND HYENA_CLANG)
    set(CMAKE_CXX_COMPILER ${HYENA_CLANGXX})
    set(CMAKE_C_COMPILER ${HYENA_CLANG})
  endif()
endif()

if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER
   AND NOT DEFINED ENV{CMAKE_CXX_COMPILER_LAUNCHER})
  find_program(HYENA_CCACHE NAMES ccache)
  mark_as_advanced(HYENA_CCACHE)
  if(HYENA_CCACHE)
    # Paths below the source folder are hashed relative to it, so that clones
    # share a cache. A precompiled header is known to ccache by the .sum file
    # that HyenaTargets.cmake writes beside it: its own bytes hold the path of
    # the build folder.
    set(hyenaLauncher ${CMAKE_COMMAND} -E env
        CCACHE_BASEDIR=${CMAKE_CURRENT_SOURCE_DIR} CCACHE_NOHASHDIR=1
        CCACHE_PCH_EXTSUM=1 CCACHE_SLOPPINESS=pch_defines,time_macros
        ${HYENA_CCACHE})
    set(CMAKE_C_COMPILER_LAUNCHER ${hyenaLauncher})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${hyenaLauncher})
  endif()
endif()
