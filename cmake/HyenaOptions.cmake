#===- HyenaOptions.cmake - flags that hold for every target -----------------===#
#
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#

include(CheckLinkerFlag)

option(HYENA_WERROR "Treat warnings as errors" OFF)
option(HYENA_SELF_CONTAINED
       "Link LLVM's component archives instead of libMLIR.so" OFF)
set(HYENA_SANITIZE "" CACHE STRING
    "Sanitizers to build with, for example address;undefined")

# g++ 12 takes ten times as long with such a precompiled header as clang does.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_GENERATOR MATCHES "Ninja")
  option(HYENA_ENABLE_PCH "Precompile the MLIR headers that most files use" ON)
else()
  set(HYENA_ENABLE_PCH OFF)
endif()

add_compile_options(-Wall -Wextra -Wno-unused-parameter)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees uninitialised values in every std::optional.
  add_compile_options(-Wno-maybe-uninitialized)
endif()
if(HYENA_WERROR)
  add_compile_options(-Werror)
endif()

if(NOT CMAKE_LINKER_TYPE)
  check_linker_flag(CXX -fuse-ld=lld HYENA_HAS_LLD)
  if(HYENA_HAS_LLD)
    add_link_options(-fuse-ld=lld)
  endif()
endif()

if(HYENA_SANITIZE)
  list(JOIN HYENA_SANITIZE "," hyenaSanitizers)
  add_compile_options(-fsanitize=${hyenaSanitizers} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all -g1)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # It reads what stands before a called function; just-in-time compiled code
    # has nothing there.
    add_compile_options(-fno-sanitize=function)
  endif()
  add_link_options(-fsanitize=${hyenaSanitizers})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND "address" IN_LIST HYENA_SANITIZE)
    # Programs and the libraries that a foreign program loads share one runtime.
    # The foreign program has to load it first: HYENA_ASAN_RUNTIME.
    execute_process(
      COMMAND ${CMAKE_CXX_COMPILER}
              -print-file-name=libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so
      OUTPUT_VARIABLE hyenaAsanRuntime OUTPUT_STRIP_TRAILING_WHITESPACE)
    set(HYENA_ASAN_RUNTIME ${hyenaAsanRuntime} CACHE INTERNAL
        "What LD_PRELOAD needs for a program that is not instrumented")
    get_filename_component(hyenaAsanFolder ${hyenaAsanRuntime} DIRECTORY)
    add_link_options(-shared-libasan)
    list(APPEND CMAKE_BUILD_RPATH ${hyenaAsanFolder})
  endif()
endif()
