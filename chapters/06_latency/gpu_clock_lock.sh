#!/usr/bin/env bash
# Shows, locks and unlocks the clocks of NVIDIA GPUs through nvidia-smi.
#
# A cycle is no fixed time: a GPU changes its clocks with load, temperature and power. Lock them before you compare times,
# or cycles of anything outside the multiprocessors (L2 and DRAM have clocks of their own), and unlock them afterwards.
set -euo pipefail

readonly name=${0##*/}
# Exit statuses; --help lists them.
readonly bad_usage=2 no_nvidia_smi=3 no_gpu=4 needs_root=5 refused=6

usage() {
    cat <<END
Usage: $name status [--gpu N]
       $name lock --sm MHz [--mem MHz] [--gpu N]
       $name unlock [--gpu N]

  status        print the clocks now, the highest ones, and what holds them back
  lock          set persistence mode, and keep the SM clock (and the memory clock) at this value; needs root
  unlock        give the clocks back to the GPU; needs root. Persistence mode stays on (nvidia-smi -pm 0 ends it)
  --sm MHz      a whole number, 1 to 9999; nvidia-smi -q -d SUPPORTED_CLOCKS lists the possible ones
  --mem MHz     the same, up to 99999. Many GPUs refuse to lock it: that is a warning
  --gpu N       this GPU only, counted as nvidia-smi -L does; without it all of them

Exit status: 0 done, perhaps with warnings; $bad_usage the command line was not understood, and nothing was called;
$no_nvidia_smi nvidia-smi is not installed; $no_gpu no driver, or no such GPU; $needs_root not root; $refused nvidia-smi refused to do it.
END
}

fail() {   # fail STATUS PROBLEM NEXT
    printf '%s: %s\n  next: %s\n' "$name" "$2" "$3" >&2
    exit "$1"
}

warn() {   # warn PROBLEM
    printf '%s: warning: %s\n' "$name" "$1" >&2
}

# Whole numbers without sign or leading zero, so that bash does not read them as octal.
read_number() {   # read_number OPTION VALUE LOWEST HIGHEST
    [[ $2 =~ ^(0|[1-9][0-9]{0,5})$ && $2 -ge $3 && $2 -le $4 ]] ||
        fail $bad_usage "$1 must be a whole number from $3 to $4, not \"${2:0:40}\"" "$name --help"
}

command=""
sm=""
mem=""
gpu=""

read_arguments() {
    local argument
    for argument in "$@"; do
        [[ $argument != --help && $argument != -h ]] || { usage; exit 0; }
    done
    [[ $# -gt 0 ]] || fail $bad_usage "say what to do: status, lock or unlock" "$name --help"
    command=$1
    shift
    [[ $command == status || $command == lock || $command == unlock ]] ||
        fail $bad_usage "\"${command:0:40}\" is not a command: status, lock or unlock" "$name --help"
    while [[ $# -gt 0 ]]; do
        case $1 in
            --sm | --mem | --gpu) ;;
            *) fail $bad_usage "\"${1:0:40}\" is not an option" "$name --help" ;;
        esac
        [[ $command == lock || $1 == --gpu ]] || fail $bad_usage "$1 goes with lock, not with $command" "$name --help"
        [[ $# -gt 1 ]] || fail $bad_usage "$1 needs a value" "$name --help"
        local -n value=${1#--}
        [[ -z $value ]] || fail $bad_usage "$1 is given twice" "$name --help"
        case $1 in
            --sm) read_number "$1" "$2" 1 9999 ;;
            --mem) read_number "$1" "$2" 1 99999 ;;
            --gpu) read_number "$1" "$2" 0 999 ;;
        esac
        # shellcheck disable=SC2034   # sets sm, mem or gpu
        value=$2
        shift 2
    done
    [[ $command != lock || -n $sm ]] ||
        fail $bad_usage "lock needs --sm MHz" "$name status shows the highest SM clock; then $name lock --sm MHz"
}

smi() {   # nvidia-smi for the chosen GPU, or for all
    nvidia-smi ${gpu:+-i "$gpu"} "$@"
}

check_nvidia_smi() {
    command -v nvidia-smi >/dev/null ||
        fail $no_nvidia_smi "nvidia-smi was not found in PATH" "install NVIDIA's driver, which contains it; the simulated GPU needs no lock"
}

check_root() {
    [[ $(id -u) -eq 0 ]] || fail $needs_root "$command changes the clocks for everybody, which needs root" "sudo $0 $*"
}

check_gpu() {
    local indices
    indices=$(nvidia-smi --query-gpu=index --format=csv,noheader 2>&1) ||
        fail $no_gpu "nvidia-smi finds no GPU: $(head -n 1 <<<"$indices")" "check the driver: nvidia-smi"
    [[ -z $gpu ]] || grep -qx "$gpu" <<<"$indices" ||
        fail $no_gpu "there is no GPU $gpu; there are: ${indices//$'\n'/, }" "nvidia-smi -L lists them"
}

# Bits of clocks_event_reasons.active, as NVML names them.
print_reasons() {   # print_reasons BITS, as 0x0000000000000004
    [[ $1 =~ ^0x[0-9a-fA-F]+$ ]] || return 0
    local bit reasons=""
    local -A names=([1]="idle" [2]="clocks that an application or user set" [4]="power limit" [8]="hardware slowdown"
        [16]="synchronised with other GPUs" [32]="temperature, by the driver" [64]="temperature, by the hardware"
        [128]="power brake" [256]="display clocks")
    for bit in 1 2 4 8 16 32 64 128 256; do
        (($1 & bit)) && reasons+="${reasons:+; }${names[$bit]}"
    done
    printf '  held back by: %s\n' "${reasons:-nothing}"
}

status() {
    local line fields=index,name,persistence_mode,clocks.sm,clocks.max.sm,clocks.mem,clocks.max.mem
    local lines reasons
    lines=$(smi "--query-gpu=$fields" --format=csv,noheader 2>&1) ||
        fail $refused "nvidia-smi could not read the clocks: $(head -n 1 <<<"$lines")" "nvidia-smi -q -d CLOCK"
    # Drivers before 535 have another name for it.
    reasons=$(smi --query-gpu=clocks_event_reasons.active --format=csv,noheader 2>/dev/null) ||
        reasons=$(smi --query-gpu=clocks_throttle_reasons.active --format=csv,noheader 2>/dev/null) || reasons=""
    local number=0
    while IFS= read -r line; do
        number=$((number + 1))
        local values
        IFS=',' read -r -a values <<<"$line"
        printf 'GPU %s, %s: SM %s (highest %s), memory %s (highest %s), persistence mode %s\n' "${values[0]# }" "${values[1]# }" \
            "${values[3]# }" "${values[4]# }" "${values[5]# }" "${values[6]# }" "${values[2]# }"
        print_reasons "$(sed -n "${number}p" <<<"$reasons")"
    done <<<"$lines"
    printf 'These queries do not say whether clocks are locked: an idle GPU may show less than the lock. Under load, a locked one stays at its value.\n'
}

# Changes a setting; what nvidia-smi says is then in `said`. It exits with 0 too where it treats a refusal as a warning.
try() {   # try ARGUMENTS...
    said=$(smi "$@" 2>&1) || { said=${said//$'\n'/ }; return 1; }
    said=${said//$'\n'/ }
    [[ $said != *"reating as warning"* && $said != *"not supported"* ]]
}

lock() {
    # Without persistence mode the driver forgets the lock when the last program leaves the GPU.
    try -pm 1 || warn "persistence mode was refused, so the lock may be lost when no program uses the GPU: $said"
    try -lgc "$sm,$sm" ||
        fail $refused "the SM clock could not be locked at $sm MHz: $said" "nvidia-smi -q -d SUPPORTED_CLOCKS lists what is possible"
    printf 'SM clock locked at %s MHz: %s\n' "$sm" "$said"
    [[ -n $mem ]] || return 0
    if try -lmc "$mem,$mem"; then
        printf 'Memory clock locked at %s MHz: %s\n' "$mem" "$said"
    else
        warn "the memory clock could not be locked at $mem MHz, and stays as it is: $said"
    fi
}

unlock() {
    try -rgc || fail $refused "the SM clock could not be unlocked: $said" "nvidia-smi -rgc"
    printf 'SM clock unlocked: %s\n' "$said"
    if try -rmc; then
        printf 'Memory clock unlocked: %s\n' "$said"
    else
        warn "the memory clock could not be unlocked (if it was never locked, nothing is wrong): $said"
    fi
}

read_arguments "$@"
check_nvidia_smi
[[ $command == status ]] || check_root "$@"
check_gpu
"$command"
