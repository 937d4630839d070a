import { Timestamp } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none } from "./contract.js";
import { StoreHealth } from "./list.js";

export const HealthAnswer = z.object({
  status: z.enum(["ok", "degraded"]),
  version: z.string(),
  pid: z.number().int(),
  started_at: Timestamp,
  home: z.string(),
  store: StoreHealth,
  /** Whether what happens is written down. */
  events: z.object({ state: z.enum(["ok", "degraded"]), message: z.string().nullable() }).optional(),
});
export type HealthAnswer = z.infer<typeof HealthAnswer>;

export const Check = z.object({
  name: z.string(),
  status: z.enum(["ok", "warn", "fail"]),
  message: z.string(),
  hint: z.string().nullable(),
});
export type Check = z.infer<typeof Check>;

export const DoctorAnswer = z.object({ checks: z.array(Check) });
export type DoctorAnswer = z.infer<typeof DoctorAnswer>;

export const DAEMON_ROUTES = {
  health: { scope: "observer", params: none, query: none, body: null, status: 200, answer: HealthAnswer },
  doctor: { scope: "observer", params: none, query: none, body: null, status: 200, answer: DoctorAnswer },
  shutdown: { scope: "admin", params: none, query: none, body: none, status: 202, answer: z.object({ stopping: z.literal(true) }) },
} as const satisfies Record<string, Contract>;
