#===- packages.sh - what the project needs from the system -----------------===#
#
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# Sourced by setup.sh.

# needs LEVEL...: what the levels need, one line each, as
#   level;Debian 12 package;command that succeeds if it is there;words for people
needs() {
  cat <<'LIST' | while IFS=';' read -r level rest; do
build;git;have git;git
build;make;have make;GNU make
build;cmake;at_least "$(cmake --version)" 3.25;CMake 3.25 or newer
build;ninja-build;have ninja;Ninja
build;ccache;optional;ccache (optional: a cache of compiled files)
build;g++;have g++ || have clang++-22;a C++17 compiler and library: g++ 12 or newer, or clang 22
build;clang-22;optional;clang 22 (optional: else g++ compiles)
build;lld-22;optional;lld 22 (optional: else the default linker)
build;llvm-22-dev;have_file lib/cmake/llvm/LLVMConfig.cmake;LLVM 22.1 with its CMake files
build;libmlir-22-dev;have_file lib/cmake/mlir/MLIRConfig.cmake;MLIR 22.1 with its CMake files
build;mlir-22-tools;have_file bin/mlir-tblgen && have_file bin/mlir-opt;mlir-tblgen and mlir-opt 22.1
build;llvm-22-tools;have_file bin/FileCheck && have_file bin/lit;FileCheck, not, count, split-file and lit 22.1
build;zlib1g-dev;have_header zlib.h;zlib's headers
build;libzstd-dev;have_header zstd.h;zstd's headers
build;libgtest-dev;have_header gtest/gtest.h;GoogleTest 1.12 or newer
build;libopenblas-dev;optional;OpenBLAS (optional: else the built-in matrix product runs)
build;python3-dev;have_python_header;Python 3.11 or newer with its headers
build;python3-venv;"$PYTHON" -c "import venv, ensurepip";Python's venv and ensurepip
test;clang-format-22;have clang-format-22 || have_file bin/clang-format;clang-format 22
test;clang-tidy-22;have clang-tidy-22 || have_file bin/clang-tidy;clang-tidy 22
asan;clang-22;have clang++-22 || have_file bin/clang++;clang 22
asan;libclang-rt-22-dev;have_sanitizers;compiler-rt 22 (the sanitizers' runtime)
LIST
    case " $* " in *" $level "*) printf '%s\n' "$rest" ;; esac
  done
}

# The commands of the third column; a file is looked for where LLVM is.
: "${LLVM_PREFIX:=/usr/lib/llvm-22}"
have() { command -v "$1"; }
have_file() { [ -e "$LLVM_PREFIX/$1" ]; }
have_header() { echo "#include <$1>" | "${CXX:-c++}" -fsyntax-only -x c++ -; }
have_python_header() {
  "$PYTHON" -c 'import os, sys, sysconfig
include = sysconfig.get_path("include")
sys.exit(sys.version_info < (3, 11) or not os.path.exists(include + "/Python.h"))'
}
have_sanitizers() {
  have_file "lib/clang/22/lib/linux/libclang_rt.asan-$(uname -m).so"
}
at_least() { # at_least TEXT VERSION: the first number in TEXT is VERSION or newer
  found=$(printf '%s\n' "$1" | sed -n '1s/[^0-9]*\([0-9][0-9.]*\).*/\1/p')
  [ -n "$found" ] &&
    [ "$(printf '%s\n%s\n' "$2" "$found" | sort -V | head -n 1)" = "$2" ]
}
optional() { :; }
