#!/usr/bin/env python3
"""Runs the test programs on a GPU and on the emulator, and compares what they print and what their kernels count.

  compare_programs.py --warpgrade build/bin/warpgrade [--arch 90] [--ncu] [--jobs 8] tests/programs/features/*.cu

Each program is compiled once by nvcc, with PTX for the emulator and machine code for the GPU, and run twice. A line
`out HEX` (bytes that integer and IEEE operations define) must be the same on both; `approx VALUE...` must agree to one
part in a thousand. With --ncu the first launch of each kernel is counted by Nsight Compute too: global sectors per
request, shared wavefronts and floating-point operations are put beside the emulator's. Prints Markdown tables; exits
with 1 if an output differs.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import re
import subprocess
import sys
import tempfile

# Emulator counters and the sums of Nsight Compute's that say the same.
COUNTERS = {
    "load sectors": (("global_load_sectors",), "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"),
    "load requests": (("global_load_requests",), "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"),
    "store sectors": (("global_store_sectors",), "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"),
    "store requests": (("global_store_requests",), "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"),
    "shared wavefronts": (("shared_load_wavefronts", "shared_store_wavefronts"),
                          "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                          "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"),
    "fadd": (("fadd",), "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"),
    "fmul": (("fmul",), "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"),
    "ffma": (("ffma",), "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"),
    "dfma": (("dfma",), "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum"),
}
METRICS = sorted({m for row in COUNTERS.values() for m in row[1:]})
NOISE = 0.10


def first_lines(path):
    with open(path) as f:
        return [next(f, "") for _ in range(4)]


def options_of(path):
    """`// arch: 80` and `// flags: -G` in a program's first lines."""
    text = "".join(first_lines(path))
    arch = re.search(r"^// arch: (\d+)", text, re.M)
    flags = re.search(r"^// flags: (.*)$", text, re.M)
    return (arch.group(1) if arch else "75"), (flags.group(1).split() if flags else [])


def compile_program(source, folder, arch):
    ptx, flags = options_of(source)
    output = os.path.join(folder, os.path.basename(os.path.dirname(source)) + "_" +
                          os.path.splitext(os.path.basename(source))[0])
    command = ["nvcc", "-std=c++17", "-O2", "-lineinfo", "-cudart", "shared", "-I", os.path.dirname(source),
               "-I", os.path.dirname(os.path.dirname(source)), "-gencode", f"arch=compute_{ptx},code=compute_{ptx}",
               "-gencode", f"arch=compute_{arch},code=sm_{arch}", *flags, source, "-o", output]
    done = subprocess.run(command, capture_output=True, text=True)
    return source, output, done.returncode, done.stderr


def run(command, environment=None, timeout=300):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout,
                              env={**os.environ, **(environment or {})})
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return 124, "", "timed out"


def outputs(text):
    return [line.split()[1:] for line in text.splitlines() if line.startswith("out ")], \
           [float(v) for line in text.splitlines() if line.startswith("approx ") for v in line.split()[1:]]


def same_outputs(gpu, emulator):
    exact_gpu, approx_gpu = outputs(gpu)
    exact_emulator, approx_emulator = outputs(emulator)
    if exact_gpu != exact_emulator or len(approx_gpu) != len(approx_emulator):
        return False
    return all(a == b or abs(a - b) <= 1e-3 * max(abs(a), abs(b)) for a, b in zip(approx_gpu, approx_emulator))


def by_kernel(rows, key):
    first = {}
    for row in rows:
        first.setdefault(key(row), row)
    return first


def short(name):
    name = re.sub(r"^void ", "", name)
    return re.split(r"[(<]", name.replace("(anonymous namespace)::", "").replace("<unnamed>::", ""))[0]


def emulated_counters(path):
    with open(path) as f:
        launches = json.load(f)["launches"]
    return {k: v["counters"] for k, v in by_kernel(launches, lambda l: short(l["kernel"])).items()}


def measured_counters(text):
    lines = [line for line in text.splitlines() if line.startswith('"')]
    rows = list(csv.reader(lines))
    if len(rows) < 2:
        return {}
    head = rows[0]
    ident, kernel, name, value = (head.index(h) for h in ("ID", "Kernel Name", "Metric Name", "Metric Value"))
    launches, kernels = {}, {}
    for row in rows[1:]:
        if not row[value]:
            continue
        launches.setdefault(row[ident], {})[row[name]] = float(row[value].replace(",", ""))
        kernels.setdefault(short(row[kernel]), row[ident])
    return {k: launches[i] for k, i in kernels.items() if i in launches}


def emulated_runtime(warpgrade):
    """The folder of the emulated libcudart that belongs to the binary: of a build, or of an installed prefix."""
    prefix = os.path.dirname(os.path.dirname(os.path.realpath(warpgrade)))
    folders = [os.path.join(prefix, "lib", "emulator"), os.path.join(prefix, "lib", "warpgrade", "emulator")]
    for folder in folders:
        if os.path.isdir(folder):
            return folder
    sys.exit(f"{warpgrade}: its libcudart is in none of {folders}")


def compare_counters(program, ours, theirs):
    """Markdown rows of the kernels that both saw, and for each whether all counters agreed."""
    rows = []
    for kernel in ours:
        if kernel not in theirs:
            continue
        cells, agreed, counted = [], True, False
        for label, (fields, *metrics) in COUNTERS.items():
            a = sum(ours[kernel].get(f, 0) for f in fields)
            b = sum(theirs[kernel].get(m, 0) for m in metrics)
            if a == 0 and b == 0:
                continue
            counted = True
            difference = abs(a - b) / max(a, b)
            limit = NOISE if label == "shared wavefronts" else 0
            agreed = agreed and difference <= limit
            sign = "=" if a == b else f"({100 * (b - a) / max(a, 1):+.1f}%)"
            cells.append(f"{label} {a} {sign}" + ("" if a == b else f" {b:.0f}"))
        if counted:
            rows.append((agreed, f"| {program} | {kernel} | {'yes' if agreed else 'no'} | {'; '.join(cells)} |"))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--warpgrade", required=True, help="the built or installed warpgrade binary")
    parser.add_argument("--arch", default="90", help="the GPU's architecture (default: 90)")
    parser.add_argument("--ncu", action="store_true", help="compare counters with Nsight Compute too")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("sources", nargs="+")
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="warpgrade_programs_")
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        built = list(pool.map(lambda s: compile_program(s, folder, arguments.arch), arguments.sources))
    counters_of = lambda binary: binary + ".counters.json"
    runtime = emulated_runtime(arguments.warpgrade)

    def emulate(row):
        if row[2] != 0:
            return 1, "", row[3]
        if arguments.ncu:  # `warpgrade run` keeps the counters for itself: ask the runtime
            run([row[1]], {"LD_LIBRARY_PATH": runtime, "WARPGRADE_COUNTERS_FILE": counters_of(row[1])})
        return run([arguments.warpgrade, "run", "--device", "emulator", "--", row[1]])

    with concurrent.futures.ThreadPoolExecutor(max(1, arguments.jobs // 2)) as pool:
        emulated = list(pool.map(emulate, built))
    wrong, bit_equal, within = 0, 0, 0
    counter_rows = []
    for (source, binary, status, error), (code, text, errors) in zip(built, emulated):
        name = os.path.basename(os.path.dirname(source)) + "/" + os.path.basename(source)
        if status != 0:
            wrong += 1
            print(f"{name}: does not compile\n{error}")
            continue
        gpu_code, gpu_text, gpu_errors = run([binary])
        if gpu_code != 0 or code != 0 or not same_outputs(gpu_text, text):
            wrong += 1
            print(f"{name}: GPU exit {gpu_code}, emulator exit {code}\n  gpu:      {gpu_text.strip()[-300:]} {gpu_errors.strip()[-200:]}"
                  f"\n  emulator: {text.strip()[-300:]} {errors.strip()[-300:]}")
            continue
        if outputs(text)[0]:
            bit_equal += 1
        else:
            within += 1
        if arguments.ncu:
            _, ncu_text, _ = run(["ncu", "--clock-control", "none", "--csv", "--metrics", ",".join(METRICS), binary])
            try:
                counter_rows += compare_counters(name, emulated_counters(counters_of(binary)), measured_counters(ncu_text))
            except (OSError, ValueError, KeyError) as problem:
                print(f"{name}: counters not compared: {problem}")
    print(f"\n{len(built)} programs: {bit_equal} with bit-equal output, {within} equal within tolerance, {wrong} wrong")
    if counter_rows:
        print("\n| program | kernel | agrees | counters: emulator, ncu where it differs |\n|---|---|---|---|")
        for _, row in sorted(counter_rows, key=lambda r: not r[0]):
            print(row)
        print(f"\n{sum(a for a, _ in counter_rows)} of {len(counter_rows)} kernels agree in every counter "
              f"(shared wavefronts within {NOISE:.0%})")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
