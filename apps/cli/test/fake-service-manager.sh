#!/bin/sh
# systemctl, loginctl and launchctl, as far as tmpm calls them: it writes down how it is called and runs what the service's file says.
# $FAKE_DIR is its memory; $FAKE_MANAGER may be `absent`, or `refuses` to begin anything.
program=$(basename "$0")
echo "$program $*" >>"$FAKE_DIR/calls"
[ "$1" = --user ] && shift
verb=$1
for last; do :; done

runs() {
  [ -f "$FAKE_DIR/pid" ] && state=$(sed 's/.*) //' "/proc/$(cat "$FAKE_DIR/pid")/stat" 2>/dev/null) && [ "${state%% *}" != Z ]
}
begin() {
  if [ "$FAKE_MANAGER" = refuses ]; then echo "Unit is masked" >&2; exit 1; fi
  runs && return
  "$FAKE_NODE" "$FAKE_RUNNER" "$1" </dev/null >/dev/null 2>&1 &
  echo $! >"$FAKE_DIR/pid"
}
end() {
  rm -f "$FAKE_DIR/enabled"
  if runs; then kill "$(cat "$FAKE_DIR/pid")"; fi
}

if [ "$FAKE_MANAGER" = absent ]; then echo "Failed to connect to bus: No medium found" >&2; exit 1; fi
case "$program $verb" in
  "loginctl "*) echo no ;;
  "systemctl enable") : >"$FAKE_DIR/enabled"; begin "$XDG_CONFIG_HOME/systemd/user/$last" ;;
  "systemctl start") begin "$XDG_CONFIG_HOME/systemd/user/$last" ;;
  "systemctl disable") end ;;
  "systemctl is-enabled") [ -f "$FAKE_DIR/enabled" ] ;;
  "systemctl is-active") if runs; then echo active; else echo inactive; fi ;;
  "launchctl bootstrap") echo "$last" >"$FAKE_DIR/enabled"; begin "$last" ;;
  "launchctl kickstart") begin "$(cat "$FAKE_DIR/enabled")" ;;
  "launchctl bootout") end ;;
  "launchctl print")
    case $last in gui/*/*)
      [ -f "$FAKE_DIR/enabled" ] || exit 113
      if runs; then echo "	state = running"; else echo "	state = not running"; fi ;;
    esac ;;
esac
