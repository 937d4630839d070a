import type { PullRequestAnswer } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import { command } from "../command.js";
import { usageError } from "../parse/usage-error.js";
import { answersOf } from "../printed.js";
import { oneLine } from "../render/one-line.js";
import { SESSION } from "./shared-arguments.js";

export const pr = command({
  name: "pr",
  group: "Start and end sessions",
  summary: "Show and watch a session's pull request",
  more: `Without an option, prints the last known state and sends no request. --watch checks it every minute: each check, review and comment is reported once, as an event and a notification, and again only when it was edited. --deliver also sends failed checks, and reviews and comments by the logins in --from, to the session as a prompt. Both end by themselves when it is merged or closed.

  tmpm pr fix-login
  tmpm pr fix-login --watch
  tmpm pr fix-login --deliver --from alice,bob
  tmpm pr fix-login --now
  tmpm pr fix-login --off`,
  args: { session: SESSION },
  options: {
    watch: { takes: "flag", summary: "Report new checks, reviews and comments" },
    deliver: { takes: "flag", summary: "Also send failed checks, and reviews and comments of --from, to the session" },
    from: {
      takes: "text",
      label: "LOGINS",
      summary: "With --deliver: logins whose comments are sent, separated by commas",
      completes: { kind: "anything" },
    },
    off: { takes: "flag", summary: "Stop watching" },
    now: { takes: "flag", summary: "Check now" },
  },
  printed: answersOf("pullRequest", "watchPullRequest"),
  modes: [{ of: ({ watch, off }) => (watch ? "--watch" : off ? "--off" : "--deliver"), takenBy: { from: ["--deliver"] } }],
  async run({ session, watch, deliver, from, off, now }, context): Promise<PullRequestAnswer> {
    if ([watch, deliver, off].filter(Boolean).length > 1)
      throw usageError("--watch, --deliver and --off are mutually exclusive", "Give one of them.");
    const mode = watch ? "events" : deliver ? "deliver" : off ? "off" : undefined;
    const client = context.client();
    if (mode === undefined && from === undefined && !now) return client.pullRequest({ session });
    const logins = from?.split(",").flatMap((login) => (login.trim() === "" ? [] : [login.trim().replace(/^@/, "")]));
    return client.watchPullRequest({ session, mode, from: logins, now: now || undefined }, { timeoutMs: 300_000 });
  },
  render: renderPullRequest,
  notes: ({ failure }) => (failure === null ? [] : [visibleText(`the last query failed: ${failure}`)]),
});

const MODE: Readonly<Record<PullRequestAnswer["mode"], string>> = {
  off: "not watched",
  events: "watched",
  deliver: "watched, and delivered to the session",
};

function renderPullRequest(answer: PullRequestAnswer): string {
  const { session, number, url, state, head, checks, reviews, mode, from, looked_at, reported, undelivered } = answer;
  const at = head === null ? "" : ` at ${head.slice(0, 12)}`;
  const said = Object.entries(reviews).map(([login, verdict]) => `${login} ${verdict.replaceAll("_", " ")}`);
  return [
    oneLine(url),
    `${oneLine(session)}: pull request ${number}, ${state === "unknown" ? "not queried yet" : state}${at}`,
    ...(checks === null ? [] : [`  checks: ${checks.passed} passed, ${checks.failed} failed, ${checks.pending} pending`]),
    ...(said.length === 0 ? [] : [`  reviews: ${oneLine(said.join(", "))}`]),
    `  ${MODE[mode]}${mode === "deliver" ? ` (from ${oneLine(from.join(", "))})` : ""}; ${reported} reported${undelivered === 0 ? "" : `, ${undelivered} not delivered yet`}${looked_at === null ? "" : `; checked at ${looked_at}`}`,
  ].join("\n");
}
