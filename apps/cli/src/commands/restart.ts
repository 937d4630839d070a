import type { RestartAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { callersEnvironment } from "../input/callers-environment.js";
import { leftAloneNote } from "../input/each-session.js";
import { hostArgument } from "../input/host-argument.js";
import { renderLine } from "../render/line.js";
import { SESSION } from "./shared-arguments.js";

const ANSWER_MS = 120_000;

export const restart = command({
  name: "restart",
  group: "Start and end sessions",
  summary: "Restart a session's program with the same conversation",
  more: `Fails before ending anything if the program could not be launched again. It stays on the same host; --host moves it to another.

  tmpm restart demo
  tmpm restart demo --grace 20
  tmpm restart demo --host pty`,
  args: { session: SESSION },
  options: {
    grace: { takes: "seconds", label: "SECONDS", summary: "Time for the program to exit before it is killed" },
    host: { takes: "text", label: "H", summary: "New host: tmux, pty or sdk" },
  },
  async run({ session, grace, host }, context): Promise<RestartAnswer> {
    const graceMs = grace === undefined ? undefined : Math.ceil(grace * 1000);
    const input = {
      session,
      control: hostArgument(host),
      grace_ms: graceMs,
      ...(await callersEnvironment(context)),
    };
    return context.client().restart(input, { timeoutMs: ANSWER_MS + (graceMs ?? 0) });
  },
  render: (answer) => renderLine(answer),
  notes: ({ name, left_alone }) => (left_alone === null ? [] : [leftAloneNote(name, left_alone)]),
});
