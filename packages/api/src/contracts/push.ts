import { Timestamp } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none } from "./contract.js";

const Kind = z.enum(["needs_you", "finished", "failed", "test"]);

/** What a push holds, and nothing more: no prompt, no answer, no address. */
export const PushMessage = z.object({
  kind: Kind.describe("Of the most urgent session."),
  session_id: z.string().nullable().describe("Null when it is about several."),
  title: z.string().describe("Sessions' names, and what happened in tmpm's own words."),
});
export type PushMessage = z.infer<typeof PushMessage>;

export const PushEntry = PushMessage.extend({
  at: Timestamp,
  device_id: z.string(),
  device: z.string().describe("Its name."),
  outcome: z
    .enum(["accepted", "suppressed", "refused", "failed", "ended"])
    .describe(
      "`accepted`: by the push service, which says nothing of what the device shows. `suppressed`: not sent. `refused`: by the push service. `failed`: the push service was not reached. `ended`: the subscription is no more, and was deleted.",
    ),
  reason: z.string().nullable().describe("Why; null when it was accepted."),
});
export type PushEntry = z.infer<typeof PushEntry>;

export const PushAnswer = z.object({
  public_key: z.string().describe("For `PushManager.subscribe`, as `applicationServerKey`, in base64url."),
  subscribed: z.boolean().describe("Whether the device that asks gets notifications; false for a caller that is not a browser."),
  subscriptions: z.array(
    z.object({
      device_id: z.string(),
      device: z.string(),
      service: z.string().describe("The push service's host."),
      created_at: Timestamp,
    }),
  ),
  ledger: z.array(PushEntry).describe("What became of each, the newest first; 200 at most."),
});
export type PushAnswer = z.infer<typeof PushAnswer>;

const EXAMPLE_ENTRY: PushEntry = {
  kind: "needs_you",
  session_id: "0b6f9f0e-55a5-4a0c-8b57-3d2a8f6f1c11",
  title: "fix-login waits for your approval",
  at: "2026-01-02T03:04:05Z",
  device_id: "1f0c7a52-5b0e-4d52-9d0a-6a3f7f1f2c11",
  device: "chrome-on-android-1f0c",
  outcome: "accepted",
  reason: null,
};

const EXAMPLE: PushAnswer = {
  public_key: "BNbxGYNMhEIi9zrneh7mqV4oUanjLUK3m-mYZBc62frMKrEoMk88r3Lk596T0ck9xlT-aok0fO1KXBLV4-XqxYM",
  subscribed: true,
  subscriptions: [
    {
      device_id: EXAMPLE_ENTRY.device_id,
      device: EXAMPLE_ENTRY.device,
      service: "push.example",
      created_at: "2026-01-02T03:04:05Z",
    },
  ],
  ledger: [EXAMPLE_ENTRY],
};

const common = { params: none, query: none, status: 200, answer: PushAnswer } as const;

export const PUSH_ROUTES = {
  push: {
    ...common,
    scope: "observer",
    summary: "Notifications to browsers, and what became of them",
    body: null,
    errors: [],
    example: { answer: EXAMPLE },
  },
  subscribePush: {
    ...common,
    scope: "operator",
    summary: "Has the device that asks get notifications",
    description:
      "The body is what the browser's `PushManager` gives. A device has one subscription; another one takes its place. It ends with the login.",
    body: z.strictObject({
      endpoint: z.url().max(2_000).describe("https, or http on loopback."),
      keys: z.strictObject({ p256dh: z.string().regex(/^[\w-]{87}=?$/), auth: z.string().regex(/^[\w-]{22}(?:==)?$/) }),
    }),
    errors: ["INVALID_STATE"],
    example: {
      body: {
        endpoint: "https://push.example/send/f3a1",
        keys: {
          p256dh: "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM",
          auth: "tBHItJI5svbpez7KI4CCXg",
        },
      },
      answer: EXAMPLE,
    },
  },
  unsubscribePush: {
    ...common,
    scope: "operator",
    summary: "Has the device that asks get no more notifications",
    body: null,
    errors: ["INVALID_STATE"],
    example: { answer: { ...EXAMPLE, subscribed: false, subscriptions: [] } },
  },
  reportPresence: {
    scope: "operator",
    summary: "Reports whether the page is in view on this device",
    description:
      "A device that is visible and focused gets no notification. The report is good for two minutes: while that is so, repeat it every 100 seconds; and say at once when it ends. It changes no session.",
    params: none,
    query: none,
    body: z.strictObject({ visible: z.boolean(), focused: z.boolean() }),
    status: 200,
    answer: z.object({ suppressed_until: Timestamp.nullable().describe("Null when notifications are sent.") }),
    errors: ["INVALID_STATE"],
    example: { body: { visible: true, focused: true }, answer: { suppressed_until: "2026-01-02T03:06:05Z" } },
  },
  testPush: {
    ...common,
    scope: "operator",
    summary: "Sends a test to the device that asks, or to all devices when the caller is not one",
    description: "Also to a device that shows the page. Responds once the push services have responded.",
    body: none,
    errors: ["INVALID_STATE"],
    example: { answer: EXAMPLE },
  },
} as const satisfies Record<string, Contract>;
