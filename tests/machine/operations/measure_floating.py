"""Measures the table of floating-point results on a GPU.

    python3 measure_floating.py floating_h200.txt > new.txt

Reads the operands and instructions of the table, runs each instruction through the CUDA driver, and prints the table
with this GPU's results. Instructions that the GPU's architecture lacks are refused by the driver and left out.
"""

import ctypes
import sys

cuda = ctypes.CDLL("libcuda.so.1")

KERNEL = """.version 8.6
.target sm_90
.address_size 64
.visible .entry measure(.param .u64 sources, .param .u64 results, .param .u32 rows) {{
.reg .pred p, r1; .reg .b16 r16; .reg .b32 i, n, r32; .reg .b64 source, result, offset, r64;
{declarations}
ld.param.u64 source, [sources]; ld.param.u64 result, [results]; ld.param.u32 n, [rows];
mov.u32 i, %tid.x; setp.ge.u32 p, i, n; @p ret;
mul.wide.u32 offset, i, {row_bytes}; add.u64 source, source, offset;
mul.wide.u32 offset, i, 8; add.u64 result, result, offset;
{loads}
{instruction} r{bits}, {operands};
mov.b64 offset, 0; st.global.b64 [result], offset;
{store}
ret;
}}
"""


def check(status, what):
    if status != 0:
        raise RuntimeError(f"{what}: CUDA driver error {status}")


class Gpu:
    MAX_ROWS = 1024

    def __init__(self):
        device, context = ctypes.c_int(), ctypes.c_void_p()
        check(cuda.cuInit(0), "cuInit")
        check(cuda.cuDeviceGet(ctypes.byref(device), 0), "cuDeviceGet")
        check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device), "cuDevicePrimaryCtxRetain")
        check(cuda.cuCtxSetCurrent(context), "cuCtxSetCurrent")
        self.sources, self.results = ctypes.c_uint64(), ctypes.c_uint64()
        check(cuda.cuMemAlloc_v2(ctypes.byref(self.sources), self.MAX_ROWS * 32), "cuMemAlloc")
        check(cuda.cuMemAlloc_v2(ctypes.byref(self.results), self.MAX_ROWS * 8), "cuMemAlloc")

    def run(self, instruction, source_bits, result_bits, rows):
        store = f"st.global.b{result_bits} [result], r{result_bits};"
        if result_bits == 1:
            store = "selp.b32 r32, 1, 0, r1; st.global.b32 [result], r32;"
        text = KERNEL.format(
            declarations=" ".join(f".reg .b{b} s{k};" for k, b in enumerate(source_bits)),
            row_bytes=8 * len(source_bits),
            loads=" ".join(f"ld.global.b{b} s{k}, [source+{8 * k}];" for k, b in enumerate(source_bits)),
            instruction=instruction, bits=result_bits, store=store,
            operands=", ".join(f"s{k}" for k in range(len(source_bits))))
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        if cuda.cuModuleLoadData(ctypes.byref(module), text.encode()) != 0:
            return None
        check(cuda.cuModuleGetFunction(ctypes.byref(function), module, b"measure"), "cuModuleGetFunction")
        cells = (ctypes.c_uint64 * (len(rows) * len(source_bits)))(*[value for row in rows for value in row])
        check(cuda.cuMemcpyHtoD_v2(self.sources, cells, ctypes.sizeof(cells)), "cuMemcpyHtoD")
        count = ctypes.c_uint32(len(rows))
        arguments = (ctypes.c_void_p * 3)(*[ctypes.addressof(x) for x in (self.sources, self.results, count)])
        check(cuda.cuLaunchKernel(function, 1, 1, 1, self.MAX_ROWS, 1, 1, 0, None, arguments, None), "cuLaunchKernel")
        results = (ctypes.c_uint64 * len(rows))()
        check(cuda.cuMemcpyDtoH_v2(results, self.results, ctypes.sizeof(results)), "cuMemcpyDtoH")
        check(cuda.cuModuleUnload(module), "cuModuleUnload")
        return list(results)


def main(path):
    gpu, source_bits, rows = Gpu(), [], []
    lines = iter(open(path).read().splitlines())
    for line in lines:
        words = line.split()
        if line.startswith("form"):
            next(lines)
            results = gpu.run(words[1], source_bits, int(words[2]), rows)
            if results is None:
                print(f"{words[1]} is refused by the driver", file=sys.stderr)
                continue
            print(line)
            print(" ".join(f"{value:x}" for value in results))
            continue
        print(line)
        if line.startswith("operands"):
            source_bits, rows = [int(word) for word in words[1:]], []
        elif not line.startswith("#"):
            rows.append([int(word, 16) for word in words])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
