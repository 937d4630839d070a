import * as z from "zod";
import { NumberedEvent } from "../conversation/event.js";
import { AgentSettings } from "../conversation/settings.js";
import { ConversationState, Fate } from "../conversation/state.js";

const Given = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("approve") }),
  z.object({ kind: z.literal("deny") }),
  z.object({ kind: z.literal("choice"), number: z.number().int() }),
  z.object({ kind: z.literal("text"), text: z.string() }),
]);

const Put = z.object({
  fate: z.discriminatedUnion("kind", [...Fate.options, z.object({ kind: z.literal("unwritten") })]),
  evidence: z.array(z.string()),
});

/** Events missed since a given number, and the form that screens have. */
const Followed = z.object({
  missed: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("events"), events: z.array(NumberedEvent) }),
    z.object({ kind: z.literal("whole"), seq: z.number().int(), state: ConversationState }),
  ]),
  columns: z.number().int(),
  rows: z.number().int(),
  command: z.string(),
});
export type Followed = z.infer<typeof Followed>;

const Changed = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("applied"), settings: AgentSettings }),
  z.object({ kind: z.literal("refused"), message: z.string() }),
  z.object({ kind: z.literal("later"), why: z.string() }),
]);

/** The calls of a holder of a conversation, and their results. */
export const CALLS = {
  /** From then on, the caller gets every event. */
  follow: { args: z.object({ since: z.number().int().nonnegative() }), answer: Followed },
  prompt: { args: z.object({ key: z.string(), text: z.string() }), answer: Put },
  prompted: { args: z.object({ key: z.string() }), answer: Put.nullable() },
  cancel: { args: z.object({}), answer: z.null() },
  answer: { args: z.object({ request: z.string(), answer: Given }), answer: z.object({ label: z.string() }) },
  set: { args: z.object({ name: z.enum(["model", "mode", "effort"]), value: z.string().nullable() }), answer: Changed },
  /** Only proves that the holder answers. */
  alive: { args: z.object({}), answer: z.null() },
  /** Closes the agent's input, at which agents end on their own. */
  hang_up: { args: z.object({}), answer: z.null() },
} as const;

export type CallName = keyof typeof CALLS;
export type CallArgs<N extends CallName> = z.infer<(typeof CALLS)[N]["args"]>;
export type CallAnswer<N extends CallName> = z.infer<(typeof CALLS)[N]["answer"]>;

/** Messages to followers: an event, or a notice that they were too slow and have to query again. */
export const HolderEvent = z.union([NumberedEvent, z.object({ behind: z.literal(true) })]);
