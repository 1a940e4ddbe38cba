#===- HyenaPython.cmake - extension modules for several Pythons -------------===#
#
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# find_package(Python) finds one Python; the extension is built for several. An
# extension module needs two directories of headers and a file name, which the
# interpreter itself tells. nanobind is compiled into each, as its
# nb_combined.cpp is meant to be.

# hyena_describe_python(INTERPRETER PREFIX): sets PREFIX_VERSION (3.11),
# PREFIX_INCLUDE, PREFIX_SUFFIX, or PREFIX_VERSION to "" without its headers.
function(hyena_describe_python interpreter prefix)
  execute_process(
    COMMAND ${interpreter} -c "
import os, sys, sysconfig
include = sysconfig.get_path('include')
if os.path.exists(os.path.join(include, 'Python.h')):
    print('%d.%d' % sys.version_info[:2], include,
          sysconfig.get_config_var('EXT_SUFFIX'), sep=';', end='')
"
    OUTPUT_VARIABLE answer ERROR_QUIET RESULT_VARIABLE status)
  set(version "")
  if(status EQUAL 0 AND answer)
    list(GET answer 0 version)
    list(GET answer 1 include)
    list(GET answer 2 suffix)
  endif()
  set(${prefix}_VERSION "${version}" PARENT_SCOPE)
  set(${prefix}_INCLUDE "${include}" PARENT_SCOPE)
  set(${prefix}_SUFFIX "${suffix}" PARENT_SCOPE)
endfunction()

# hyena_find_nanobind(RESULT INTERPRETER...): the folder of the nanobind package
# that the first of the interpreters has, or "".
function(hyena_find_nanobind result)
  set(folder "")
  foreach(interpreter IN LISTS ARGN)
    execute_process(
      COMMAND ${interpreter} -c "
import os, nanobind
print(os.path.dirname(nanobind.__file__), end='')
"
      OUTPUT_VARIABLE folder ERROR_QUIET RESULT_VARIABLE status)
    if(status EQUAL 0)
      break()
    endif()
    set(folder "")
  endforeach()
  set(${result} "${folder}" PARENT_SCOPE)
endfunction()

# hyena_add_python_extension(INTERPRETER SOURCES source... NANOBIND folder
#                            OUTPUT folder LINK_LIBS target...)
#
# Adds the target hyena-python-VERSION, which builds OUTPUT/_core.SUFFIX, and a
# test that imports the package with the interpreter.
function(hyena_add_python_extension interpreter)
  cmake_parse_arguments(ARG "" "NANOBIND;OUTPUT" "SOURCES;LINK_LIBS" ${ARGN})
  hyena_describe_python(${interpreter} python)
  if(NOT python_VERSION)
    message(STATUS "No extension for ${interpreter}: it does not run or has no Python.h")
    return()
  endif()
  set(name hyena-python-${python_VERSION})
  if(TARGET ${name})
    return()
  endif()
  message(STATUS "Extension for Python ${python_VERSION} (${interpreter})")

  add_library(${name}-nanobind OBJECT ${ARG_NANOBIND}/src/nb_combined.cpp)
  target_compile_options(${name}-nanobind PRIVATE -fno-strict-aliasing -w)
  add_library(${name} MODULE ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${name}-nanobind ${ARG_LINK_LIBS})
  foreach(target IN ITEMS ${name} ${name}-nanobind)
    target_include_directories(${target} SYSTEM PRIVATE
      ${python_INCLUDE} ${ARG_NANOBIND}/include ${ARG_NANOBIND}/ext/robin_map/include)
    target_compile_definitions(${target} PRIVATE NB_COMPACT_ASSERTIONS)
    set_target_properties(${target} PROPERTIES
      CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON CXX_CLANG_TIDY "")
  endforeach()
  set_target_properties(${name} PROPERTIES
    PREFIX "" OUTPUT_NAME _core SUFFIX "${python_SUFFIX}"
    LIBRARY_OUTPUT_DIRECTORY ${ARG_OUTPUT}
    BUILD_RPATH "\$ORIGIN/../../lib" INSTALL_RPATH "\$ORIGIN")

  add_test(NAME python-${python_VERSION}-import
    COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${ARG_OUTPUT}/..
            ${interpreter} -c "import hyena_mlir._core as c; print(c.version())")
endfunction()
