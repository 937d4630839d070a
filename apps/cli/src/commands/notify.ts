import { isatty } from "node:tty";
import type { NotifyAnswer } from "@tmpm/api";
import { followEvents } from "@tmpm/api/client";
import { ERRORS } from "@tmpm/core";
import { command } from "../command.js";
import type { Context, View } from "../context.js";
import { answerOf, component } from "../printed.js";
import { fromNow } from "../render/age.js";
import { renderEvent } from "../render/event.js";
import { oneLine } from "../render/one-line.js";
import { table } from "../render/table.js";

const ACTIONS = ["status", "test", "follow"] as const;

/** An unresponsive webhook is retried for more than a minute. */
const TEST_MS = 180_000;

type Result = { readonly kind: "status" | "test"; readonly answer: NotifyAnswer } | { readonly kind: "followed" };

export const notify = command({
  name: "notify",
  group: "Set up tmpm",
  summary: "Notifications when a session needs you, finishes or fails",
  more: `follow prints notifications as they arrive and rings this terminal's bell. \`tmpm set SESSION --notify on|off\` selects sessions. See docs/notifications.md.

  tmpm config set notify.desktop true
  tmpm config set notify.quiet_hours 22:00-07:30
  tmpm notify test                      send a test to every configured channel
  tmpm notify                           deliveries since the daemon started
  tmpm notify follow`,
  args: { action: { takes: "optional", label: "ACTION", summary: "status (default), test or follow", choices: ACTIONS } },
  options: {},
  printed: { forms: [answerOf("notify"), component("EventAnswer")], perLine: true },
  async run({ action = "status" }, context): Promise<Result> {
    if (action === "status") return { kind: "status", answer: await context.client().notify() };
    if (action === "test") return { kind: "test", answer: await context.client().testNotify({}, { timeoutMs: TEST_MS }) };
    await follow(context);
    return { kind: "followed" };
  },
  render: (result, view) => (result.kind === "followed" ? "" : renderNotify(result.answer, view)),
  json: (result) => (result.kind === "followed" ? "" : JSON.stringify(result.answer)),
  notes: (result) =>
    result.kind === "status" && result.answer.channels.every(({ target }) => target === null)
      ? ["nothing is configured; for example: tmpm config set notify.desktop true"]
      : [],
  exit: (result) =>
    result.kind === "test" && wanted(result.answer).some(({ failure }) => failure !== null) ? ERRORS.NOTIFY_FAILED.exit : 0,
});

async function follow(context: Context): Promise<void> {
  const bell = isatty(1) ? "\u0007" : "";
  for await (const each of followEvents(context.observer(), { type: "notified", after: await newest(context) })) {
    if (each.kind !== "event") continue;
    const text = `${bell}${renderEvent(each.event, { ...(await context.view()), name: null })}`;
    if (!context.print({ text, json: JSON.stringify(each.event) })) break;
  }
}

/** The number of the latest event. */
async function newest(context: Context): Promise<number | undefined> {
  const client = context.client();
  for (let after: number | undefined; ; ) {
    const { next } = await client.events({ type: "notified", limit: 1000, ...(after === undefined ? {} : { after }) });
    if (next === after) return after;
    after = next;
  }
}

function wanted({ channels }: NotifyAnswer): NotifyAnswer["channels"] {
  return channels.filter(({ target }) => target !== null);
}

const HEAD = ["CHANNEL", "TARGET", "SENT", "NOT SENT", "LAST"];
/** Omitted in this order where space is short: success count, channel. */
const SPARE = [2, 1];

function renderNotify(answer: NotifyAnswer, view: View): string {
  const rows = wanted(answer).map(({ channel, target, sent, failed, dropped, failure }) => [
    channel,
    oneLine(target ?? ""),
    String(sent),
    String(failed + dropped),
    failure === null ? "ok" : oneLine([failure.message, failure.hint ?? ""].filter((part) => part !== "").join("; ")),
  ]);
  const ways = rows.length === 0 ? [] : [table({ head: HEAD, rows, spare: SPARE }, view)];
  const pending = answer.pending === 0 ? [] : [`${answer.pending} ${answer.pending === 1 ? "session is" : "sessions are"} to be reported`];
  const quiet = answer.quiet_until === null ? [] : [`quiet for ${fromNow(answer.quiet_until, view.now).replace(/^in /, "")} more`];
  return [...ways, ...pending, ...quiet].join("\n");
}
