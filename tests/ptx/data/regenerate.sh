#!/bin/sh
# Makes the *.ptx files of this folder again. nvcc writes the path of the source into them, so it
# compiles a copy: HOME=/home/learner ./regenerate.sh
set -e
data=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$HOME/lanescope"
cp "$data/sample.cu" "$HOME/lanescope"
cd "$HOME/lanescope"
make() {
    output=$1
    shift
    nvcc -ptx -arch=sm_75 "$@" -o "$output" sample.cu
    sed "s|\"/[^\"]*/include/|\"/usr/local/cuda/include/|" "$output" >"$data/$output"
}
make optimized.ptx -O3
make unoptimized.ptx -O0 -Xcicc -O0
make debug.ptx -G
make lineinfo.ptx -lineinfo
make relocatable.ptx -rdc=true
