import * as z from "zod";
import { Activity } from "./activity.js";
import { SessionId } from "./ids.js";
import { SessionState, StopCause } from "./record.js";
import { Timestamp } from "./timestamp.js";

const common = { at: Timestamp, session_id: SessionId };

/** What happened, before the journal gives it a number. */
export const EventBody = z.discriminatedUnion("type", [
  z.object({ ...common, type: z.literal("session_created"), name: z.string(), agent: z.string() }),
  z.object({ ...common, type: z.literal("session_state_changed"), from: SessionState, to: SessionState, cause: StopCause.nullable() }),
  z.object({ ...common, type: z.literal("session_activity_changed"), activity: Activity }),
  z.object({ ...common, type: z.literal("session_text_sent"), outcome: z.string(), bytes: z.number().int() }),
]);
export type EventBody = z.infer<typeof EventBody>;

/** A numbered event. Numbers have no gaps; a consumer ignores types that it does not know. */
export const Event = z.intersection(z.object({ seq: z.number().int().positive() }), EventBody);
export type Event = z.infer<typeof Event>;
