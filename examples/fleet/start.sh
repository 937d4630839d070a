#!/usr/bin/env bash
# A NATS server, three nodes and a laptop that queries them, all on this machine, each with a separate home.
#
#   examples/fleet/start.sh DIR [PORT]
#
# Runs until Ctrl-C, which ends all of them. TMPM selects another tmpm than the one on the path.
set -euo pipefail
(($# > 0)) || { echo "usage: $0 DIR [PORT]" >&2; exit 2; }
mkdir -p "$1"
dir=$(cd "$1" && pwd)
port=${2:-4222}
url=nats://127.0.0.1:$port
tmpm=${TMPM:-tmpm}
nodes=(build1 build2 build3)
running=()

# Runs tmpm as if on one of the machines.
at() {
  local machine=$1
  shift
  env -u TMPM_SOCKET -u TMPM_TMUX_SOCKET -u XDG_RUNTIME_DIR HOME="$dir/$machine" TMPM_HOME="$dir/$machine/tmpm" "$tmpm" "$@"
}

finish() {
  trap - EXIT
  kill "${running[@]}" 2>/dev/null || true
  for machine in laptop "${nodes[@]}"; do
    at "$machine" daemon stop >/dev/null 2>&1 || true
    tmux -S "$dir/$machine/tmpm/run/tmux.sock" kill-server 2>/dev/null || true
  done
}
trap finish EXIT
trap 'exit 0' INT TERM

for machine in laptop "${nodes[@]}"; do mkdir -p -m 700 "$dir/$machine"; done

# The laptop may send requests to all nodes, and receives their responses. A node receives requests, and publishes below its own name.
{
  echo "listen: \"127.0.0.1:$port\""
  echo "authorization {"
  echo "  users: ["
  echo "    { nkey: $(at laptop nodes key), permissions: { publish: \"tmpm.*.in.laptop.>\", subscribe: \"tmpm.*.out.laptop.>\" } }"
  for node in "${nodes[@]}"; do
    echo "    { nkey: $(at "$node" nodes key), permissions: { publish: \"tmpm.$node.out.>\", subscribe: \"tmpm.$node.in.>\" } }"
  done
  echo "  ]"
  echo "}"
} >"$dir/nats.conf"

nats-server -c "$dir/nats.conf" >"$dir/nats.log" 2>&1 &
running+=($!)
echo $! >"$dir/nats.pid"

# build3 grants the laptop the rights of an observer only.
[[ -f $dir/build3/observer ]] || at build3 token create --scope observer --file "$dir/build3/observer" >/dev/null

for node in "${nodes[@]}"; do
  client=laptop
  [[ $node != build3 ]] || client="laptop=$dir/build3/observer"
  # exec, so that the node's process replaces the subshell.
  (exec env -u TMPM_SOCKET -u TMPM_TMUX_SOCKET -u XDG_RUNTIME_DIR HOME="$dir/$node" TMPM_HOME="$dir/$node/tmpm" \
    "$tmpm" node --nats "$url" --as "$node" --client "$client") >"$dir/$node.log" 2>&1 &
  running+=($!)
  echo $! >"$dir/$node.pid"
done

for node in "${nodes[@]}"; do
  at laptop nodes show "$node" >/dev/null 2>&1 || at laptop nodes add "$node" --nats "$url" --as laptop >/dev/null
done

cat <<TEXT
ready; in another terminal:
  export HOME=$dir/laptop TMPM_HOME=$dir/laptop/tmpm
  $tmpm nodes
  $tmpm new --on build1 --name hello
  $tmpm send build1:hello "uptime"
  $tmpm ls
TEXT
wait
