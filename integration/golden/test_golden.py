# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results of the compiled tool against those of the upstream projects' code."""

import json
import subprocess

import families
import pytest
from cases import bounds, distances, reference

from hyena_mlir.safetensors import load, save


def run(tool, graph, arguments, target, directory, name):
    """The results of a graph, run by the compiled tool."""
    source, values, out = (directory / f"{name}{ending}" for ending in
                           (".mlir", ".args.safetensors", ".out.safetensors"))
    source.write_text(str(graph))
    save(values, arguments)
    command = [str(tool), str(source), f"--entry={graph.name}", f"--target={target}",
               f"--args={values}", f"--out={out}", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        pytest.fail(f"{' '.join(command)}\nexit code {done.returncode}\n{done.stderr}")
    json.loads(done.stdout)
    return list(load(out).values())


def test_case(case, target, hyena_run, workdir, report):
    """A case that is expressed, compiled or computed wrongly would be far off."""
    tensors = case.tensors()
    dtype = "f64" if target == "interpret" else "f32"
    graph, arguments = families.build(case, tensors, dtype)
    (result,) = run(hyena_run, graph, arguments, target, workdir, case.id)
    rel, peak = distances(result.float64(), reference(case, tensors))
    most_rel, most_peak = bounds(case, tensors, dtype)
    report(f"{target:9} {case.id:44} {rel:9.2e} of {most_rel:8.1e}  {peak:9.2e} of {most_peak:8.1e}")
    assert rel <= most_rel, f"rel_l2 {rel:.3e}, at most {most_rel:.3e} is allowed"
    assert peak <= most_peak, f"max / rms {peak:.3e}, at most {most_peak:.3e} is allowed"
