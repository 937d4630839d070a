import { Problem, SessionAnswer } from "@tmpm/api";
import { Timestamp } from "@tmpm/core";
import * as z from "zod";

/** The stored data of another machine. */
export const KeptNode = z.object({
  schema_version: z.literal(1),
  label: z.string(),
  /** Exactly one of the two is set. */
  ssh: z.object({ host: z.string(), command: z.string().nullable() }).nullable().default(null),
  nats: z.object({ url: z.string(), node: z.string(), client: z.string() }).nullable().default(null),
  labels: z.array(z.string()).default([]),
  added_at: Timestamp,
  /** Its own data from its last response. */
  seen: z
    .object({
      node_id: z.string(),
      host_name: z.string(),
      user: z.string(),
      home: z.string(),
      version: z.string(),
      at: Timestamp,
    })
    .nullable(),
});
export type KeptNode = z.infer<typeof KeptNode>;

/** The sessions of a node, as of its last list. */
export const KeptSessions = z.object({ as_of: Timestamp, sessions: z.array(SessionAnswer), problems: z.array(Problem) });
export type KeptSessions = z.infer<typeof KeptSessions>;
