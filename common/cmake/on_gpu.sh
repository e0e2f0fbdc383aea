#!/bin/sh
# Runs a test on the GPU of this machine; without one the test is skipped (exit status 77), not passed.
if ! nvidia-smi -L >/dev/null 2>&1; then
    echo "skipped: this machine has no NVIDIA GPU with a driver (nvidia-smi -L fails)"
    exit 77
fi
exec "$@"
