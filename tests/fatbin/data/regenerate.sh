#!/bin/sh
# Makes the *.fatbin files of this folder again.
set -e
cd "$(dirname "$0")"
ptx_75="-gencode arch=compute_75,code=compute_75"
nvcc -fatbin $ptx_75 --compress-mode=none -o plain.fatbin add.cu
nvcc -fatbin $ptx_75 --compress-mode=speed -o speed.fatbin add.cu
nvcc -fatbin $ptx_75 --compress-mode=size -o size.fatbin add.cu
nvcc -fatbin $ptx_75 --compress-mode=default -o default.fatbin add.cu
nvcc -fatbin $ptx_75 --compress-mode=balance -o balance.fatbin add.cu
nvcc -fatbin $ptx_75 -rdc=true -o relocatable.fatbin add.cu
nvcc -fatbin $ptx_75 -lineinfo -o lineinfo.fatbin add.cu
nvcc -fatbin -gencode arch=compute_75,code=sm_75 --compress-mode=size -o machine_code.fatbin add.cu
nvcc -fatbin -gencode 'arch=compute_75,code=[compute_75,sm_75]' -gencode arch=compute_90,code=compute_90 \
    -gencode arch=compute_90a,code=compute_90a --compress-mode=size -o several.fatbin add.cu
