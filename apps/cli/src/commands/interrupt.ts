import type { InterruptAnswer } from "@tmpm/api";
import { ERRORS, visibleText } from "@tmpm/core";
import { command } from "../command.js";
import { SESSION } from "./shared-arguments.js";

const SAID = { interrupted: "interrupted", not_working: "nothing to interrupt", unconfirmed: "not seen to stop" } as const;

export const interrupt = command({
  name: "interrupt",
  group: "Send prompts and answers",
  summary: "Interrupt an agent with its own keys",
  more: `An agent that is not working is left alone. Exits with status 7 if it was not seen to stop.

  tmpm interrupt demo`,
  args: { session: SESSION },
  options: {},
  async run({ session }, context): Promise<InterruptAnswer> {
    return context.client().interrupt({ session });
  },
  render: ({ name, outcome, evidence }) => visibleText(`${name}: ${SAID[outcome]} (${evidence.join("; ")})`),
  exit: ({ outcome }) => (outcome === "unconfirmed" ? ERRORS.UNCONFIRMED.exit : 0),
});
