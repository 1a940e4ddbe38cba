#===- HyenaTargets.cmake - how this project declares its targets ------------===#
#
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#

# hyena_add_library(NAME source... [NO_MLIR] [DEPENDS target...]
#                   [LINK_LIBS target...])
#
# A static library of the compiler. DEPENDS names TableGen targets. The
# libraries name no LLVM library themselves: an executable or a shared library
# adds `hyena_link_mlir`, so that the choice between libMLIR.so and the
# component archives is made in one place. NO_MLIR says that the library
# includes no MLIR header, so that it gets no precompiled ones either.
function(hyena_add_library name)
  cmake_parse_arguments(ARG "NO_MLIR" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
  if(NOT ARG_NO_MLIR)
    hyena_use_pch(${name})
  endif()
endfunction()

# hyena_link_mlir(TARGET): link MLIR and LLVM into a final target. Never both
# forms of them: what both register would be registered twice.
function(hyena_link_mlir name)
  if(HYENA_SELF_CONTAINED)
    # Not the imported targets of the archives, which lead to libLLVM.so. lld
    # takes from an archive what is referred to, whatever the order.
    file(GLOB archives ${LLVM_LIBRARY_DIRS}/libMLIR*.a
         ${LLVM_LIBRARY_DIRS}/libLLVM*.a)
    target_link_libraries(${name} PRIVATE ${archives} z zstd m ${CMAKE_DL_LIBS})
    target_link_options(${name} PRIVATE -Wl,--gc-sections -s)
  else()
    target_link_libraries(${name} PRIVATE MLIR LLVM)
  endif()
endfunction()

# hyena_add_tool(NAME source... [LINK_LIBS target...])
#
# A program of build/bin that links MLIR.
function(hyena_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  hyena_link_mlir(${name})
  hyena_use_pch(${name})
endfunction()

# hyena_export_only(TARGET symbol...): the shared library TARGET shows these
# symbols (which may hold `*`) and no other, whatever is linked into it.
function(hyena_export_only name)
  list(JOIN ARGN ";\n    " symbols)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${name}.exports)
  file(CONFIGURE OUTPUT ${script} @ONLY
       CONTENT "{\n  global:\n    ${symbols};\n  local:\n    *;\n};\n")
  target_link_options(${name} PRIVATE -Wl,--version-script=${script})
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${script})
endfunction()

# hyena_add_unittest(NAME source... [NO_MLIR] [LINK_LIBS target...])
#
# A GoogleTest program whose tests CTest knows one by one. NO_MLIR as above; it
# then does not link MLIR either.
function(hyena_add_unittest name)
  cmake_parse_arguments(ARG "NO_MLIR" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/unittests)
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} GTest::gtest_main)
  if(NOT ARG_NO_MLIR)
    hyena_link_mlir(${name})
    hyena_use_pch(${name})
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
    PROPERTIES TIMEOUT 600)
endfunction()

# hyena_use_pch(TARGET): let TARGET use the precompiled MLIR headers. A file
# that uses them compiles in a fifth of the time. This is CMake's REUSE_FROM
# with a spelling of the flag that ccache makes relative to the source folder.
function(hyena_use_pch name)
  if(HYENA_ENABLE_PCH)
    # The header is compiled with -fPIC, and only code compiled so can use it;
    # CMake would compile an executable with -fPIE.
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE -fPIC
      "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${HYENA_PCH_HEADER}>")
    get_target_property(sources ${name} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    set_property(SOURCE ${sources} APPEND PROPERTY
                 OBJECT_DEPENDS ${HYENA_PCH_HEADER}.pch)
  endif()
endfunction()

if(HYENA_ENABLE_PCH)
  add_library(HyenaPCH OBJECT EXCLUDE_FROM_ALL
              ${CMAKE_CURRENT_LIST_DIR}/HyenaPCH.cpp)
  target_precompile_headers(HyenaPCH PRIVATE
    <mlir/Conversion/LLVMCommon/TypeConverter.h>
    <mlir/Dialect/Arith/IR/Arith.h>
    <mlir/Dialect/Func/IR/FuncOps.h>
    <mlir/Dialect/LLVMIR/LLVMDialect.h>
    <mlir/Dialect/Linalg/IR/Linalg.h>
    <mlir/Dialect/SCF/IR/SCF.h>
    <mlir/Dialect/Tensor/IR/Tensor.h>
    <mlir/Dialect/Vector/IR/VectorOps.h>
    <mlir/IR/PatternMatch.h>
    <mlir/Pass/Pass.h>
    <mlir/Transforms/DialectConversion.h>
    <mlir/Transforms/GreedyPatternRewriteDriver.h>)
  # What ccache takes for the contents of the precompiled header (see
  # HyenaToolchain.cmake): all that its contents depend on.
  get_target_property(hyenaPCHHeaders HyenaPCH PRECOMPILE_HEADERS)
  file(TIMESTAMP ${LLVM_INCLUDE_DIRS}/llvm/Config/llvm-config.h hyenaPCHTime UTC)
  set(hyenaPCHSum
      "${LLVM_PACKAGE_VERSION} ${hyenaPCHTime} ${CMAKE_CXX_COMPILER_VERSION} \
${hyenaPCHHeaders}\n")
  set(HYENA_PCH_HEADER
      ${PROJECT_BINARY_DIR}/CMakeFiles/HyenaPCH.dir/cmake_pch.hxx)
  file(CONFIGURE OUTPUT ${HYENA_PCH_HEADER}.pch.sum
       CONTENT "${hyenaPCHSum}" @ONLY)
endif()
