#===- HyenaTargets.cmake - how this project declares its libraries ----------===#
#
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#

# hyena_add_library(NAME source... [DEPENDS target...] [LINK_LIBS target...])
#
# A static library of the compiler. DEPENDS names TableGen targets. The
# libraries name no LLVM library themselves: an executable or a shared library
# adds `hyena_link_mlir`, so that the choice between libMLIR.so and the
# component archives is made in one place.
function(hyena_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
endfunction()

# hyena_link_mlir(TARGET): link MLIR and LLVM into a final target.
function(hyena_link_mlir name)
  target_link_libraries(${name} PRIVATE MLIR LLVM)
endfunction()
