import { Timestamp } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none } from "./contract.js";

const Kind = z.enum(["needs_you", "finished", "failed"]);

/** A notification's content about one session. */
export const NoticeEntry = z.object({
  kind: Kind,
  at: Timestamp.describe("When it happened."),
  session_id: z.string(),
  session: z.string().describe("Its name."),
  project_id: z.string(),
  agent: z.string(),
  state: z.string(),
  activity: z.string(),
  message: z.string().describe("The event, phrased to follow the session's name."),
  question: z.string().nullable().describe("The agent's question; null when there is none."),
  hint: z.string().nullable(),
});
export type NoticeEntry = z.infer<typeof NoticeEntry>;

/** Input of a command on stdin, and the body of a webhook. */
export const Notice = z.object({
  id: z.string(),
  at: Timestamp,
  kind: Kind.describe("Kind of the most urgent entry."),
  title: z.string(),
  body: z.string(),
  entries: z.array(NoticeEntry).describe("One per session, most urgent first."),
});
export type Notice = z.infer<typeof Notice>;

const Channel = z.object({
  channel: z.enum(["command", "desktop", "webhook"]),
  target: z.string().nullable().describe("Target that it uses; null when it is disabled."),
  sent: z.number().int(),
  failed: z.number().int(),
  dropped: z.number().int().describe("Number dropped because too many were waiting."),
  failure: z
    .object({ at: Timestamp, message: z.string(), hint: z.string().nullable() })
    .nullable()
    .describe("Error of the last attempt; null if it succeeded."),
});

export const NotifyAnswer = z.object({
  channels: z.array(Channel).describe("Counted since the daemon started."),
  pending: z.number().int().describe("Sessions to be reported."),
  quiet_until: Timestamp.nullable().describe("End of the current quiet hours; null outside them."),
});
export type NotifyAnswer = z.infer<typeof NotifyAnswer>;

const EXAMPLE: NotifyAnswer = {
  channels: [{ channel: "desktop", target: "notify-send", sent: 3, failed: 0, dropped: 0, failure: null }],
  pending: 0,
  quiet_until: null,
};

const common = { params: none, query: none, status: 200, answer: NotifyAnswer, errors: [] } as const;

export const NOTIFY_ROUTES = {
  notify: {
    method: "GET",
    path: "/v1/notify",
    ...common,
    scope: "observer",
    summary: "Notification channels and their deliveries",
    body: null,
    example: { answer: EXAMPLE },
  },
  testNotify: {
    method: "POST",
    path: "/v1/notify/test",
    ...common,
    scope: "operator",
    summary: "Sends a test notification through every enabled channel, and reports the results",
    description:
      "Sent at once, even in quiet hours. Responds once every channel is done, which may take more than a minute if a webhook does not answer.",
    body: none,
    waits: true,
    example: { answer: EXAMPLE },
  },
} as const satisfies Record<string, Contract>;
