# ===- lit.cfg.py - configuration of the lit suite -------------------------===#
#
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
#
# The suite runs in three ways:
#   lit build/test                       hyena-opt as it is
#   lit -Dverify_roundtrip=1 build/test  every input is printed, parsed again
#                                        and compared before the passes run,
#                                        as text and as bytecode
#   lit -Duse_plugin=1 build/test        mlir-opt with the plugin in place of
#                                        hyena-opt
# A test that cannot run with the plugin says `UNSUPPORTED: plugin` and why.

import os

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

# Set by whoever loads this file: lit (lit_config) and lit.site.cfg.py (config).
# ruff: noqa: F821


def is_set(name):
    return lit_config.params.get(name, "0") not in ("", "0")


config.name = "hyena"
config.test_format = lit.formats.ShTest(not llvm_config.use_lit_shell)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "unittests", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.hyena_obj_root, "test")

llvm_config.with_system_environment(["HOME", "TMP", "TEMP", "TMPDIR"])
llvm_config.use_default_substitutions()
llvm_config.with_environment("PATH", config.hyena_tools_dir, append_path=True)
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)

config.substitutions.append(("%hyena_src_root", config.hyena_src_root))
config.substitutions.append(("%hyena_obj_root", config.hyena_obj_root))
config.substitutions.append(("%hyena_plugin", config.hyena_plugin))
config.substitutions.append(("%python", f'"{config.python_executable}"'))

# A host program that is not built with AddressSanitizer has to load its
# runtime before a library that is.
preload = ""
if config.hyena_sanitize:
    config.available_features.add("sanitizer")
    options = "allow_user_poisoning=0:detect_leaks=0:detect_odr_violation=0"
    config.environment["ASAN_OPTIONS"] = options
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1:halt_on_error=1"
    if config.asan_runtime:
        preload = f"env LD_PRELOAD={config.asan_runtime} "
config.substitutions.append(("%preload", preload))

mlir_opt = os.path.join(config.llvm_tools_dir, "mlir-opt")
with_plugin = (
    f"{preload}{mlir_opt} --load-dialect-plugin={config.hyena_plugin}"
    f" --load-pass-plugin={config.hyena_plugin}"
)
config.substitutions.append(("%mlir_opt_with_plugin", with_plugin))

if is_set("use_plugin"):
    config.available_features.add("plugin")
    hyena_opt = ToolSubst("hyena-opt", command=with_plugin)
elif is_set("verify_roundtrip"):
    config.available_features.add("verify-roundtrip")
    hyena_opt = ToolSubst("hyena-opt", extra_args=["--verify-roundtrip"])
else:
    hyena_opt = ToolSubst("hyena-opt")

llvm_config.add_tool_substitutions(
    [
        hyena_opt,
        ToolSubst("hyena-run", unresolved="ignore"),
        ToolSubst("hyena-lsp-server", unresolved="ignore"),
    ],
    [config.hyena_tools_dir, config.llvm_tools_dir],
)
