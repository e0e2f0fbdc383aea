#!/bin/sh
# Makes the *.ptx files of this folder again (CUDA 13.0).
set -e
cd "$(dirname "$0")"
for source in *.cu; do
    architecture=compute_75
    [ "$source" = collectives.cu ] && architecture=compute_80   # __reduce_add_sync
    nvcc -ptx -O3 -lineinfo -arch=$architecture -o "${source%.cu}.ptx" "$source"
    # Paths of this machine become names.
    sed -i "s|\"$PWD/|\"|; s|\"/[^\"]*/include/|\"/usr/local/cuda/include/|" "${source%.cu}.ptx"
done
