import type { Check, DoctorAnswer } from "@tmpm/api";
import { isNotRunning } from "@tmpm/api/local";
import { ERRORS, isTmpmError } from "@tmpm/core";
import { command } from "../command.js";
import type { Context } from "../context.js";
import { columns } from "../render/columns.js";

const ANSWER_MS = 15_000;

export const doctor = command({
  name: "doctor",
  summary: "Check that everything tmpm needs is there",
  more: "It starts nothing. When something needed is missing it exits with status 6.",
  args: {},
  options: {},
  async run(_input, context): Promise<DoctorAnswer> {
    const { localChecks } = await import("../local-checks.js");
    return { checks: [...(await localChecks(context)), ...(await daemonChecks(context))] };
  },
  render({ checks }) {
    const rows = checks.map(({ status, name, message }) => [status, name, message]);
    const hints = checks.flatMap(({ name, hint }) => (hint === null ? [] : [["", name, hint]]));
    return [columns(rows), ...(hints.length === 0 ? [] : ["", columns(hints)])].join("\n");
  },
  exit: ({ checks }) => (checks.some(({ status }) => status === "fail") ? ERRORS.PREREQUISITE_MISSING.exit : 0),
});

/** The daemon as it runs, and what it has to say about itself. */
async function daemonChecks(context: Context): Promise<readonly Check[]> {
  try {
    const health = await context.observer().health({}, { timeoutMs: ANSWER_MS });
    const { checks } = await context.observer().doctor({}, { timeoutMs: ANSWER_MS });
    const running = `runs as pid ${health.pid}, version ${health.version}`;
    if (health.version === context.version) return [{ name: "daemon", status: "ok", message: running, hint: null }, ...checks];
    const hint = "Replace it with `tmpm daemon restart`; sessions keep running.";
    return [{ name: "daemon", status: "fail", message: `${running}, and this is tmpm ${context.version}`, hint }, ...checks];
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    if (isNotRunning(error)) {
      return [{ name: "daemon", status: "ok", message: "does not run; the next command starts it", hint: null }];
    }
    return [{ name: "daemon", status: "fail", message: error.message, hint: error.hint }];
  }
}
