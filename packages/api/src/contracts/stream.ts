import { SessionId } from "@tmpm/core";
import * as z from "zod";
import { MOST_INPUT } from "../input-pieces.js";
import { aliveMs } from "./alive.js";
import { type Contract, count, session } from "./contract.js";
import { ErrorEnvelope } from "./error.js";
import { MAY_FAIL } from "./may-fail.js";

export { MOST_INPUT };

const seq = z.number().int().nonnegative();
const cells = z.number().int().min(1).max(10_000);
const fault = ErrorEnvelope.shape.error;
/** Message ids of a client: strictly increasing, also across its connections. */
const id = z.number().int().positive();

export const StreamQuery = z.strictObject({
  from: count(0, Number.MAX_SAFE_INTEGER).optional().describe("Resume at this byte offset; requires `stream`."),
  stream: z.uuid().optional().describe("Stream that `from` refers to, as named in `hello`."),
  client: z.uuid().optional().describe("Chosen by the client and kept across reconnects: each input `id` counts once per client."),
  alive_ms: aliveMs,
});

/** A rendered screen. `paint` is base64: the bytes that draw it on a terminal of this size, which then continues with byte `seq`. */
export const StreamScreen = z.object({
  seq,
  columns: z.number().int(),
  rows: z.number().int(),
  cursor: z.object({ column: z.number().int(), row: z.number().int(), visible: z.boolean() }),
  title: z.string(),
  lines: z.array(z.string()),
  paint: z.base64(),
});
export type StreamScreen = z.infer<typeof StreamScreen>;

/** Why a screen is sent instead of bytes. */
export const ResyncReason = z.enum(["unknown_stream", "not_kept", "behind", "lost", "resized"]);
export type ResyncReason = z.infer<typeof ResyncReason>;

export const EndReason = z.enum(["exited", "closed", "restarted", "stopping", "revoked", "refused"]);
export type EndReason = z.infer<typeof EndReason>;

const lease = z.object({
  /** The viewer that decides the size; null if none does. */
  holder: z.uuid().nullable(),
  columns: z.number().int(),
  rows: z.number().int(),
});

/** The daemon's messages, in JSON. Terminal output is sent in binary frames instead: see `readOutput`. */
export const StreamMessage = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("hello"),
    session_id: SessionId,
    name: z.string(),
    stream: z.uuid(),
    viewer: z.uuid(),
    /** Identifies the store of the clients' commands: a different one does not know commands sent earlier. */
    commands: z.uuid(),
    /** The stream and its numbers are the terminal's own: another daemon continues with them. */
    lasting: z.boolean(),
    writable: z.boolean(),
    /** Maximum interval between messages, in ms. */
    alive_ms: z.number().int(),
    /** How long a size is kept without renewal, in ms. */
    lease_ms: z.number().int(),
    size: lease,
  }),
  z.object({ type: z.literal("resumed"), seq }),
  StreamScreen.extend({ type: z.literal("screen") }),
  StreamScreen.extend({ type: z.literal("resync"), reason: ResyncReason, note: z.string().nullable() }),
  z.object({ type: z.literal("ack"), id, outcome: z.enum(["done", "refused", "unknown"]), error: fault.nullable() }),
  lease.extend({ type: z.literal("size") }),
  z.object({ type: z.literal("alive"), seq }),
  z.object({ type: z.literal("end"), reason: EndReason, seq, screen: StreamScreen.nullable(), error: fault.nullable() }),
]);
export type StreamMessage = z.infer<typeof StreamMessage>;
export type StreamEnd = Extract<StreamMessage, { type: "end" }>;

/** A client's messages. Every command has exactly one `ack`, and is executed at most once. */
export const StreamCommand = z.union([
  /** Input as a terminal would send it: control characters and escape sequences are keys. */
  z.strictObject({ type: z.literal("input"), id, text: z.string().min(1).max(MOST_INPUT) }),
  /** Keys, by their tmux names. */
  z.strictObject({ type: z.literal("input"), id, keys: z.array(z.string()).min(1).max(1000) }),
  /** A paste, bracketed if the program requested that. */
  z.strictObject({ type: z.literal("input"), id, paste: z.string().min(1).max(MOST_INPUT) }),
  /** Sets the size, or changes or renews it for the client that decides it. With `take_over` also replaces another viewer, which is notified. */
  z.strictObject({ type: z.literal("size"), id, columns: cells, rows: cells, take_over: z.literal(true).optional() }),
  z.strictObject({ type: z.literal("release"), id }),
]);
export type StreamCommand = z.infer<typeof StreamCommand>;

/** The state of a stream, readable without joining it. */
export const StreamAnswer = z.object({
  session_id: SessionId,
  stream: z.uuid().nullable().describe("Null while no client reads the session's terminal."),
  window: z.object({ from: seq, to: seq }).nullable().describe("Range of bytes retained for reconnecting clients."),
  lasting: z
    .boolean()
    .describe("Whether the terminal's host retains the output, so that another daemon continues the same stream and numbering."),
  note: z.string().nullable().describe("Why it is not lasting; otherwise null."),
  watchers: z.number().int().nonnegative().describe("Current readers of this stream; attached terminals are `viewers` of the session."),
  holder: z.uuid().nullable().describe("The viewer that decides the size."),
});
export type StreamAnswer = z.infer<typeof StreamAnswer>;

export const STREAM_ROUTES = {
  stream: {
    method: "GET",
    path: "/v1/sessions/:session/stream",
    scope: "observer",
    summary: "Live output of a session's terminal",
    description: "After an upgrade to WebSocket: the screen, then bytes. The client sends input and its size. See `docs/streams.md`.",
    params: session,
    query: StreamQuery,
    body: null,
    status: 200,
    answer: StreamAnswer,
    errors: ["INVALID_STATE", ...MAY_FAIL.PANE, ...MAY_FAIL.TMUX],
    example: {
      params: { session: "demo" },
      answer: {
        session_id: "3b241101-e2bb-4255-8caf-4136c566a962",
        stream: "0f9a7c1e-6f0f-4c6d-9d57-6b8b0d6f3a11",
        window: { from: 0, to: 52_140 },
        lasting: false,
        note: "tmux retains lines, not the bytes that a terminal printed",
        watchers: 1,
        holder: null,
      },
    },
    stream: {
      kind: "websocket",
      description:
        "Text frames are JSON (`StreamMessage` and, from the client, `StreamCommand`); binary frames are eight bytes, the number of their first byte, big-endian, and then bytes as the program printed them.",
      example:
        '{"type":"hello","session_id":"3b241101-e2bb-4255-8caf-4136c566a962","name":"demo","stream":"0f9a7c1e-6f0f-4c6d-9d57-6b8b0d6f3a11","viewer":"5a1f6a52-3a3e-4a56-9f0c-3f5f3a3d6f10","commands":"c7d0a4b2-0a5e-4f0e-9a63-0d3c3a3c8e55","lasting":false,"writable":true,"alive_ms":15000,"lease_ms":30000,"size":{"holder":null,"columns":200,"rows":50}}',
    },
  },
} as const satisfies Record<string, Contract>;
