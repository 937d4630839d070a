import type { DoctorAnswer } from "@tmpm/api";
import { ERRORS } from "@tmpm/core";
import { command } from "../command.js";
import { usageError } from "../parse/usage-error.js";
import { renderDoctor } from "../render/doctor.js";

/** Prerequisites of everything: their status is that of an unresponsive tmux or daemon. */
const NEEDED: ReadonlySet<string | undefined> = new Set(["node", "git", "tmux", "tmux-server", "daemon"]);

export const doctor = command({
  name: "doctor",
  group: "Set up tmpm",
  summary: "Check the installation, and repair what is safe to repair",
  more: `Runs all checks and starts no daemon. Each result is ok, warn, fail or skip (could not be checked), with what to do about it. Exits with status 0 without a failure, 6 if tmux, git, Node or the daemon failed, 1 otherwise. docs/doctor.md lists the checks. --fix restricts files that other users can access, removes leftovers of dead processes, and has a tmux server recreate a lost socket; it reports what it did and what remains. It ends no process and affects no session.

Examples:
  tmpm doctor
  tmpm doctor --fix
  tmpm doctor --fix --restart              also replace a daemon of another version
  tmpm doctor --json | jq '.checks[] | select(.status == "fail")'`,
  args: {},
  options: {
    fix: { takes: "flag", summary: "Apply safe fixes" },
    restart: { takes: "flag", summary: "With --fix: replace a daemon of another version; sessions keep running" },
  },
  async run({ fix, restart }, context): Promise<DoctorAnswer> {
    if (restart && !fix) throw usageError("--restart requires --fix", "`tmpm daemon restart` replaces the daemon without checks.");
    const { examineHere } = await import("../doctor/examine-here.js");
    return examineHere(context, { fix, restart });
  },
  render: renderDoctor,
  exit({ checks }) {
    const failed = checks.filter(({ status }) => status === "fail");
    if (failed.length === 0) return 0;
    return failed.some(({ id }) => NEEDED.has(id)) ? ERRORS.PREREQUISITE_MISSING.exit : 1;
  },
});
