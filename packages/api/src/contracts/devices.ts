import { Slug, Timestamp } from "@tmpm/core";
import * as z from "zod";
import { TOKEN_SCOPES } from "../scope.js";
import { type Contract, none } from "./contract.js";

/** A logged-in browser. */
export const DeviceAnswer = z.object({
  id: z.string(),
  name: Slug.describe("Derived from the browser's description of itself at login."),
  scope: z.enum(TOKEN_SCOPES),
  created_at: Timestamp.describe("When it logged in."),
  last_seen_at: Timestamp.nullable().describe("To the minute."),
  expires_at: Timestamp.nullable(),
  current: z.boolean().describe("Whether it made this request."),
  push: z.boolean().describe("Whether it receives notifications."),
});
export type DeviceAnswer = z.infer<typeof DeviceAnswer>;

export const DeviceList = z.object({ devices: z.array(DeviceAnswer), next: z.string().nullable() });
export type DeviceList = z.infer<typeof DeviceList>;

const EXAMPLE: DeviceAnswer = {
  id: "1f0c7a52-5b0e-4d52-9d0a-6a3f7f1f2c11",
  name: "chrome-on-android-1f0c",
  scope: "operator",
  created_at: "2026-01-02T03:04:05Z",
  last_seen_at: "2026-01-02T09:14:00Z",
  expires_at: "2026-02-01T03:04:05Z",
  current: true,
  push: true,
};

export const DEVICE_ROUTES = {
  devices: {
    method: "GET",
    path: "/v1/devices",
    scope: "observer",
    summary: "The browsers that have logged in",
    params: none,
    query: none,
    body: null,
    status: 200,
    answer: DeviceList,
    errors: [],
    example: { answer: { devices: [EXAMPLE], next: null } },
  },
  revokeDevice: {
    method: "DELETE",
    path: "/v1/devices/:device",
    scope: "operator",
    summary: "Logs a browser out",
    description: "Its requests, streams and WebSockets end at once, and its notifications stop.",
    params: z.object({ device: z.string().min(1).max(100).describe("A device's name or id.") }),
    query: none,
    body: null,
    status: 200,
    answer: DeviceAnswer,
    errors: ["TOKEN_NOT_FOUND", "SCOPE_REFUSED"],
    example: { params: { device: "chrome-on-android-1f0c" }, answer: { ...EXAMPLE, current: false } },
  },
} as const satisfies Record<string, Contract>;
