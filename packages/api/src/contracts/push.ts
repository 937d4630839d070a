import { Timestamp } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none } from "./contract.js";

const Kind = z.enum(["needs_you", "finished", "failed", "test"]);

/** The complete content of a push; it never contains a prompt, an agent's message or an address. */
export const PushMessage = z.object({
  kind: Kind.describe("Kind of the most urgent session."),
  session_id: z.string().nullable().describe("Null when several sessions are concerned."),
  title: z.string().describe("Session names and the event, in tmpm's words."),
});
export type PushMessage = z.infer<typeof PushMessage>;

export const PushEntry = PushMessage.extend({
  at: Timestamp,
  device_id: z.string(),
  device: z.string().describe("Its name."),
  outcome: z
    .enum(["accepted", "suppressed", "refused", "failed", "ended"])
    .describe(
      "`accepted`: by the push service, which does not confirm display on the device. `suppressed`: not sent. `refused`: by the push service. `failed`: the push service was not reached. `ended`: the subscription had expired and was deleted.",
    ),
  reason: z.string().nullable().describe("Why; null when it was accepted."),
});
export type PushEntry = z.infer<typeof PushEntry>;

export const PushAnswer = z.object({
  public_key: z.string().describe("For `PushManager.subscribe`, as `applicationServerKey`, in base64url."),
  subscribed: z.boolean().describe("Whether the calling device receives notifications; false if the caller is not a browser."),
  subscriptions: z.array(
    z.object({
      device_id: z.string(),
      device: z.string(),
      service: z.string().describe("The push service's host."),
      created_at: Timestamp,
    }),
  ),
  ledger: z.array(PushEntry).describe("Results, newest first; at most 200."),
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
    method: "GET",
    path: "/v1/push",
    ...common,
    scope: "observer",
    summary: "Browser notifications and their results",
    body: null,
    errors: [],
    example: { answer: EXAMPLE },
  },
  subscribePush: {
    method: "POST",
    path: "/v1/push/subscription",
    ...common,
    scope: "operator",
    summary: "Subscribes the calling device to notifications",
    description:
      "The body is the subscription of the browser's `PushManager`. A device has one subscription; a new one replaces it. It ends with the login.",
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
    method: "DELETE",
    path: "/v1/push/subscription",
    ...common,
    scope: "operator",
    summary: "Unsubscribes the calling device from notifications",
    body: null,
    errors: ["INVALID_STATE"],
    example: { answer: { ...EXAMPLE, subscribed: false, subscriptions: [] } },
  },
  reportPresence: {
    method: "POST",
    path: "/v1/push/presence",
    scope: "operator",
    summary: "Reports whether the page is in view on this device",
    description:
      "A device with a page that is visible and focused is not notified. The report is valid for two minutes: repeat it every 100 seconds while it applies, and report at once when it ends. No session is changed.",
    params: none,
    query: none,
    body: z.strictObject({
      visible: z.boolean(),
      focused: z.boolean(),
      page: z.string().min(1).max(64).optional().describe("Chosen by the page, where a device has several: each has its own report."),
    }),
    status: 200,
    answer: z.object({ suppressed_until: Timestamp.nullable().describe("Null when notifications are sent.") }),
    errors: ["INVALID_STATE"],
    example: { body: { visible: true, focused: true }, answer: { suppressed_until: "2026-01-02T03:06:05Z" } },
  },
  testPush: {
    method: "POST",
    path: "/v1/push/test",
    ...common,
    scope: "operator",
    summary: "Sends a test notification to the calling device, or to all devices if the caller is not one",
    description: "Sent even to a device that shows the page. Responds once the push services have responded.",
    body: none,
    waits: true,
    errors: ["INVALID_STATE"],
    example: { answer: EXAMPLE },
  },
} as const satisfies Record<string, Contract>;
