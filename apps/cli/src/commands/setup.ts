import type { SessionAnswer } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import { command } from "../command.js";
import { answersOf } from "../printed.js";
import { SESSION } from "./shared-arguments.js";

/** A set-up may take half an hour. */
const SETUP_MS = 1_830_000;

export const setup = command({
  name: "setup",
  group: "Start and end sessions",
  summary: "Show the result of a workspace's set-up, or run it again",
  more: `The repository's .tmpm.yaml lists what a new workspace needs. --again repeats all of it; existing files stay, and the session keeps running.

  tmpm setup fix-login
  tmpm setup fix-login --again
  tmpm setup fix-login --again --trust`,
  args: { session: SESSION },
  options: {
    again: { takes: "flag", summary: "Run the set-up again" },
    trust: { takes: "flag", summary: "Consent to the current .tmpm.yaml" },
  },
  printed: answersOf("show", "setUpAgain"),
  modes: [{ of: ({ again }) => (again ? "--again" : "the result"), takenBy: { trust: ["--again"] } }],
  async run({ session, again, trust }, context): Promise<SessionAnswer> {
    if (!again) return context.client().show({ session });
    return context.client().setUpAgain({ session, consent: trust || undefined }, { timeoutMs: SETUP_MS });
  },
  render: ({ name, setup: seen }) =>
    visibleText(`${name}: ${seen === null ? "no set-up" : `${WORDS[seen.state]}${seen.doing === null ? "" : `: ${seen.doing}`}`}`),
});

const WORDS = {
  not_trusted: "its .tmpm.yaml has a set-up without your consent",
  unreadable: "its .tmpm.yaml is not usable",
  running: "being set up",
  done: "set up",
  failed: "its set-up failed",
} as const;
