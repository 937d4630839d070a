import type { ScreenAnswer, SessionAnswer, WhyAnswer } from "@tmpm/api";
import { TmpmError } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { capture } from "../../src/commands/capture.js";
import { renderAudit } from "../../src/render/audit.js";
import { errorLines } from "../../src/render/error.js";
import { renderLine } from "../../src/render/line.js";
import { renderList } from "../../src/render/list.js";
import { renderSession } from "../../src/render/session.js";
import { renderWhy } from "../../src/render/why.js";
import { sessionAnswer } from "../fixtures/session-answer.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? 1);
const seed = Number(process.env.TMPM_TEST_SEED ?? 1);
const COUNT = scale >= 10 ? 100_000 : 600 * scale;

/** Bytes that may be sent to a terminal (reliability C9). A table does not contain tabs either. */
const FORBIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const TAB = /\t/;

/** Known attacks on terminals: clipboards, titles, links, queries whose answers are typed as text, unterminated strings. */
const KNOWN = [
  "\u001b]52;c;ZXZpbA==\u0007",
  "\u001b]0;title\u0007\u001b[21t",
  "\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\",
  '\u001bP$q"p\u001b\\',
  "\u001b_Gi=1;AAAA\u001b\\",
  "\u001b^private\u001b\\",
  "\u001bXstart of string",
  "\u009d0;c1 title\u009c",
  "\u009b31mred\u009b0m",
  "\u0090q\u009c",
  "\u001b[6n\u001b[c\u001b[5n",
  "\u001b[?1049h\u001b[2J",
  "over\u0008\u0008\u0008\u0008write",
  "a\r\nb\rc",
  "\u202egnp.exe\u202c",
  'a line\u2028{"level":60}\u2029another',
  "\u2066left\u2069\u061c\u200f",
  "\ud800lone\udc00",
  "\u007f\u0000\u000e\u000f",
  "\u001b]1337;File=inline=1:AAAA\u0007",
  "\u001bPtmux;\u001b\u001b]52;c;ZXZpbA==\u0007\u001b\\",
  "col\tumn\ttabs\n\nlines",
] as const;

describe("content of panes, records and errors reaches the terminal as text only", () => {
  const view = { now: Date.parse("2026-01-01T00:01:00Z"), userHome: "/home/me" };
  const plain = sessionAnswer();

  function everything(evil: string): { readonly tables: string; readonly texts: string } {
    const session = evilSession(plain, evil);
    const problems = [{ kind: "damaged" as const, id: evil, project_id: evil, reason: evil }];
    const store = { state: "degraded" as const, message: evil };
    const list = renderList({ sessions: [session], problems, store, next: null }, view);
    const error = new TmpmError("INTERNAL", evil, { effect: "unknown", hint: evil });
    const audit = { entries: [{ seq: 1, at: "2026-01-01T00:00:00Z", kind: "refused", target: evil, caller: { token: evil, peer: evil } }] };
    const findings = [{ file: evil, line: 1, kind: "damaged" as const, what: evil }];
    return {
      tables: [
        list,
        renderLine(session),
        renderWhy(evilWhy(session, evil), view),
        renderAudit({ ...audit, checked: 1, findings, next: null }, view),
      ].join("\n"),
      texts: [renderSession(session, view), capture.render(evilScreen(evil), view), ...errorLines(error)].join("\n"),
    };
  }

  test(`${COUNT} random strings and ${KNOWN.length} known ones through ls, show, capture, why, audit and errors`, {
    timeout: 300_000,
  }, () => {
    const next = numbers(seed);
    for (let index = 0; index < COUNT; index += 1) {
      const evil = KNOWN[index] ?? randomText(next);
      const { tables, texts } = everything(evil);
      if (FORBIDDEN.test(tables) || FORBIDDEN.test(texts) || TAB.test(tables)) {
        expect({ seed, index, evil, tables, texts }).toBe("only text");
      }
    }
  });

  test("the check itself finds forbidden bytes", () => {
    for (const evil of KNOWN) expect(FORBIDDEN.test(evil) || TAB.test(evil), JSON.stringify(evil)).toBe(true);
    for (const text of ["plain", "é 🙂 漢字 \u0301", "a\nb"]) expect(FORBIDDEN.test(text)).toBe(false);
  });
});

function evilSession(plain: SessionAnswer, evil: string): SessionAnswer {
  return {
    ...plain,
    ...{ name: evil, tmux_name: evil, cwd: evil, workdir: evil, task: evil, hint: evil, agent: evil, project_id: evil, branch: evil },
    thought: { ...plain.thought, thought: evil },
    activity: { ...plain.activity, evidence: [evil, evil] },
    decision: null,
    last_lines: [evil],
    odd: { [evil]: evil },
    odder: [evil],
  };
}

function evilWhy(session: SessionAnswer, evil: string): WhyAnswer {
  const line = {
    decides: true,
    last_at: "2026-01-01T00:00:00Z",
    first_at: "2026-01-01T00:00:00Z",
    source: evil,
    state: null,
    weight: 1,
    times: 1,
    what: evil,
  };
  return { session, evidence: [line], would_change: [evil], hooks: { supported: false, heard_at: null } } as unknown as WhyAnswer;
}

function evilScreen(evil: string): ScreenAnswer {
  const at = "2026-01-01T00:00:00Z";
  return {
    session_id: "550e8400-e29b-41d4-a716-446655440000",
    latest_seq: null,
    lines: [evil, evil],
    columns: 80,
    rows: 2,
    cursor: { column: 0, row: 0, visible: true },
    title: evil,
    live: true,
    captured_at: at,
  };
}

/** Random bytes, decoded as UTF-8 as a pane does, as one character per byte, or as surrogates; occasionally with a known attack among them. */
function randomText(next: () => number): string {
  const bytes = Buffer.from(Array.from({ length: 1 + (next() % 40) }, () => next() % 256));
  const kind = next() % 4;
  if (kind === 0) return bytes.toString("utf8");
  if (kind === 1) return bytes.toString("latin1");
  if (kind === 2) return String.fromCharCode(...Array.from({ length: 1 + (next() % 20) }, () => next() % 0x1_0000));
  return `${bytes.toString("latin1")}${KNOWN[next() % KNOWN.length]}\u001b${bytes.toString("utf8")}`;
}

/** Reproducible numbers for a seed. */
function numbers(start: number): () => number {
  let state = start >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
}
