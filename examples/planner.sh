#!/bin/sh
# A planner without a model. It runs in a session with a grant, and uses commands in place of an agent's tools of `tmpm mcp`: it starts two workers in
# worktrees, waits for them, reads their changes, asks its user, and reports. Run it in a git repository as shown in docs/mcp.md.
set -eu
export TMPM_AS_SESSION=1

tmpm new --agent shell --name guide --worktree --prompt "echo 'Read me first.' > GUIDE.md && git add GUIDE.md && git commit --quiet -m 'Write a guide'"
tmpm new --agent shell --name licence --worktree --prompt "echo 'Do as you like.' > LICENCE.md && git add LICENCE.md && git commit --quiet -m 'Add a licence'"
tmpm wait guide licence --timeout 300

for worker in guide licence; do
  tmpm diff "$worker" | grep '^+[A-Z]'
done

verdict=$(tmpm ask --offer 'Keep both' --offer 'Keep neither' "Two files are written. What should happen to them?")
tmpm report --done --artifact GUIDE.md --artifact LICENCE.md "Your word was: $verdict"
