import { SessionId, Timestamp } from "@tmpm/core";
import * as z from "zod";
import { type Contract, count, flag, session } from "./contract.js";
import { EXAMPLE_SESSION } from "./example-session.js";
import { MAY_FAIL } from "./may-fail.js";
import { SessionAnswer } from "./session.js";

export const ScreenAnswer = z.object({
  session_id: SessionId,
  latest_seq: z
    .number()
    .int()
    .nonnegative()
    .nullable()
    .describe(
      "Number of bytes in the terminal's stream when the screen was captured; a viewer that continues from there misses nothing. Null without viewers.",
    ),
  lines: z.array(z.string()),
  columns: z.number().int(),
  rows: z.number().int(),
  cursor: z.object({ column: z.number().int(), row: z.number().int(), visible: z.boolean() }),
  title: z.string(),
  styles: z
    .array(
      z.array(
        z.object({
          from: z.number().int(),
          to: z.number().int(),
          faint: z.boolean(),
          italic: z.boolean(),
          reverse: z.boolean(),
          colour: z.string().nullable(),
        }),
      ),
    )
    .optional()
    .describe(
      "For each of `lines`, its styled ranges: positions in UTF-16 units, colours as `#rrggbb` or one of the 256. Absent with `history`, and if styles were not read.",
    ),
  live: z.boolean().describe("False for the last lines of a session that has ended."),
  captured_at: Timestamp,
});
export type ScreenAnswer = z.infer<typeof ScreenAnswer>;

export const SCREEN_ROUTES = {
  capture: {
    method: "GET",
    path: "/v1/sessions/:session/screen",
    scope: "observer",
    acting: "read",
    summary: "The current screen of a session's terminal",
    params: session,
    query: z.strictObject({ history: count(0, 100_000).optional().describe("Number of scrollback lines to include.") }),
    body: null,
    status: 200,
    answer: ScreenAnswer,
    errors: [...MAY_FAIL.PANE, ...MAY_FAIL.TMUX],
    example: {
      params: { session: "demo" },
      query: { history: "100" },
      answer: {
        session_id: EXAMPLE_SESSION.id,
        latest_seq: null,
        lines: ["$ echo hello", "hello", "$"],
        columns: 200,
        rows: 50,
        cursor: { column: 2, row: 2, visible: true },
        title: "sh",
        live: true,
        captured_at: "2026-01-02T03:04:05Z",
      },
    },
  },
  attach: {
    method: "GET",
    path: "/v1/sessions/:session/attach",
    scope: "operator",
    summary: "The command that attaches a user's terminal",
    params: session,
    query: z.strictObject({
      read_only: flag.optional().describe("Attach without input and without resizing the session."),
      resize: flag.optional().describe("Resize the session even if other terminals are attached."),
      true_color: flag.optional().describe("The terminal supports 24-bit colour, whatever its type declares."),
    }),
    body: null,
    status: 200,
    answer: z.object({
      argv: z.array(z.string()).min(1).describe("Command to run with `TMUX` unset."),
      nested: z.string().nullable().optional().describe("Note for a user who attaches from inside tmux; null when there is none."),
      within: z
        .object({ socket: z.string(), argv: z.array(z.string()).min(1) })
        .nullable()
        .optional()
        .describe(
          "For a terminal inside the tmux server at `socket`: command to switch it to the session, to run with its `TMUX` and `TMUX_PANE`; null when there is none.",
        ),
      session: SessionAnswer,
    }),
    errors: ["INVALID_STATE", "SESSION_NOT_OWNED", ...MAY_FAIL.PANE, ...MAY_FAIL.TMUX],
    example: {
      params: { session: "demo" },
      answer: { argv: ["tmux", "-u", "-L", "tmpm", "attach-session", "-t", "%1"], session: EXAMPLE_SESSION },
    },
  },
} as const satisfies Record<string, Contract>;
