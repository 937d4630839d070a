import type { InterruptAnswer } from "@tmpm/api";
import { ERRORS, visibleText } from "@tmpm/core";
import { command } from "../command.js";
import { SESSION } from "./shared-arguments.js";

const SAID = { interrupted: "interrupted", not_working: "nothing to interrupt", unconfirmed: "not seen to stop" } as const;

export const interrupt = command({
  name: "interrupt",
  summary: "Break off what an agent does now, as its own keys do",
  more: `An agent that is not seen to work is left as it is. When it was not seen to stop, it exits with status 7.

  tmpm interrupt demo`,
  args: { session: SESSION },
  options: {},
  async run({ session }, context): Promise<InterruptAnswer> {
    return context.client().interrupt({ session });
  },
  render: ({ name, outcome, evidence }) => visibleText(`${name}: ${SAID[outcome]} (${evidence.join("; ")})`),
  exit: ({ outcome }) => (outcome === "unconfirmed" ? ERRORS.UNCONFIRMED.exit : 0),
});
