#!/usr/bin/env python3
"""Holds the emulator's counters against Nsight Compute's on the same kernels.

  compare.py emulator.json... -- ncu.csv...     one pair per program, in the same order

Each emulator.json is what WARPGRADE_COUNTERS_FILE wrote, each ncu.csv what `ncu --csv --metrics` of METRICS printed, of
the first kernel that the program launches. Prints a Markdown table; exits with 1 if a row disagrees: sectors per request
and additions must be equal, shared wavefronts within 10% (the hardware counter has background noise).
"""
import csv
import json
import sys

METRICS = {
    "ld_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "ld_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "st_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "st_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "shared_ld": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_st": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "fadd": "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
}
NOISE = 0.10


def emulated(path):
    with open(path) as f:
        launch = json.load(f)["launches"][0]
    c = launch["counters"]
    return launch["kernel"].split("<")[0], {
        "ld_requests": c["global_load_requests"], "ld_sectors": c["global_load_sectors"],
        "st_requests": c["global_store_requests"], "st_sectors": c["global_store_sectors"],
        "shared_ld": c["shared_load_wavefronts"], "shared_st": c["shared_store_wavefronts"], "fadd": c["fadd"]}


def measured(path):
    with open(path) as f:
        rows = [r for r in csv.reader(line for line in f if line.startswith('"')) if r]
    head, first = rows[0], rows[1][0]
    name, value = head.index("Metric Name"), head.index("Metric Value")
    by_metric = {r[name]: float(r[value].replace(",", "")) for r in rows[1:] if r[0] == first}
    return {k: by_metric[m] for k, m in METRICS.items()}


def ratio(over, under):
    return over / under if under else 0.0


def main():
    if "--" not in sys.argv:
        sys.exit(__doc__)
    split = sys.argv.index("--")
    ours, theirs = sys.argv[1:split], sys.argv[split + 1:]
    if not ours or len(ours) != len(theirs):
        sys.exit("compare.py: as many emulator files as ncu files, please\n" + __doc__)
    print("| kernel | load sectors/request, emulator = ncu | store sectors/request | shared wavefronts, emulator / ncu "
          "| difference | fadd, emulator = ncu |")
    print("|---|---|---|---|---|---|")
    agreed = True
    for a, b in zip(ours, theirs):
        name, e = emulated(a)
        m = measured(b)
        loads = ratio(e["ld_sectors"], e["ld_requests"]), ratio(m["ld_sectors"], m["ld_requests"])
        stores = ratio(e["st_sectors"], e["st_requests"]), ratio(m["st_sectors"], m["st_requests"])
        shared = e["shared_ld"] + e["shared_st"], m["shared_ld"] + m["shared_st"]
        difference = ratio(shared[1] - shared[0], shared[0])
        same = loads[0] == loads[1] and stores[0] == stores[1] and e["fadd"] == m["fadd"] and abs(difference) <= NOISE
        agreed = agreed and same
        equal = lambda p: f"{p[0]:.2f} = {p[1]:.2f}" if p[0] == p[1] else f"{p[0]:.4f} NOT {p[1]:.4f}"
        print(f"| {name} | {equal(loads)} | {equal(stores)} | {shared[0]} / {shared[1]:.0f} | {100 * difference:+.1f}% | "
              f"{e['fadd']} {'=' if e['fadd'] == m['fadd'] else 'NOT'} {m['fadd']:.0f} |")
    sys.exit(0 if agreed else 1)


if __name__ == "__main__":
    main()
