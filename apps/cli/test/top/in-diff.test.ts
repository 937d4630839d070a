import type { ChangedFile, DiffAnswer } from "@tmpm/api";
import { TmpmError } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { cells } from "../../src/top/cells.js";
import { loadDiff } from "../../src/top/load-diff.js";
import type { Message } from "../../src/top/message.js";
import type { TopState } from "../../src/top/state.js";
import { update } from "../../src/top/update.js";
import { frame } from "../../src/top/view/frame.js";
import { after, session, topWith } from "./sessions.js";

const demo = session("demo", "idle");
const NAMED = { id: demo.id, name: "build1:demo", node: "build1" };
const SIZE = { columns: 80, rows: 12 };
const never = new AbortController().signal;

function changed(path: string, more: Partial<ChangedFile> = {}): ChangedFile {
  return {
    path,
    path_bytes: null,
    from: null,
    status: "modified",
    old_mode: "100644",
    new_mode: "100644",
    binary: false,
    submodule: false,
    added: 3,
    removed: 1,
    patch: null,
    patch_bytes: null,
    too_large: false,
    ...more,
  };
}

function answered(files: readonly ChangedFile[], more: Partial<DiffAnswer> = {}): DiffAnswer {
  return {
    session_id: demo.id,
    session: "demo",
    top: "/work",
    base: { commit: "9fceb02d0ae598e95dc970b74767f19372d61af8", ref: "main", found: "fork_point" },
    turn: null,
    head: { branch: "demo", commit: null },
    total: { files: files.length, added: 3, removed: 1 },
    files: [...files],
    next: null,
    notes: [],
    ...more,
  };
}

/** A session of another machine whose daemon sends this response, and the received requests. */
function fixture(...answers: readonly (DiffAnswer | TmpmError)[]) {
  const asked: unknown[] = [];
  const diff = async (input: unknown) => {
    const answer = answers[asked.length];
    asked.push(input);
    if (answer === undefined || answer instanceof TmpmError) throw answer ?? new Error("asked too often");
    return answer;
  };
  let state: TopState = after(topWith([], SIZE), { kind: "listed", node: "build1", sessions: [demo], problems: 0 });
  async function hear(message: Message): Promise<void> {
    const step = update(state, message);
    state = step.state;
    for (const effect of step.effects)
      if (effect.kind === "changes" || effect.kind === "hunks") await hear(await loadDiff(effect, { client: { diff }, signal: never }));
  }
  return {
    asked,
    state: () => state,
    hear,
    open: () => hear({ kind: "command", command: "changes" }),
    async press(...keys: readonly string[]) {
      for (const key of keys) await hear({ kind: "key", key });
    },
    lines: () =>
      frame(state, { cells: cells({ unicode: true }), painting: { colour: false }, unicode: true, userHome: null, prompt: null }).map(
        plain,
      ),
  };
}

const plain = (line: string) => line.replace(/\u001b\[[\d;]*m/g, "").trimEnd();
const patch = (count: number) =>
  `${["--- a/x", "+++ b/x", `@@ -1 +1,${count} @@`, ...Array.from({ length: count }, (_, at) => `+line ${at}`)].join("\n")}\n`;

describe("the changes of a session", () => {
  test("are listed with their counts, and belong to the machine of the session", async () => {
    const { open, lines, asked } = fixture(
      answered([changed("a.ts"), changed("pic.png", { added: null, removed: null, binary: true, status: "added" })]),
    );
    await open();
    expect(asked).toEqual([{ session: demo.id, stat: true, limit: 1_000 }]);
    expect(lines().slice(0, 4)).toEqual([
      "build1:demo  2 files since 9fceb02d0ae5 (main)  +3 -1",
      ">modified          +3     -1  a.ts",
      " added                binary  pic.png",
      "",
    ]);
    expect(lines().at(-1)).toBe("Enter hunks  r reload  Esc back");
  });

  test("show the hunks of the selected file, which scroll both ways, and return to the list", async () => {
    const long = changed("b.ts", { patch: patch(30) });
    const { open, press, lines, asked, state } = fixture(answered([changed("a.ts"), long]), answered([long]));
    await open();
    await press("down", "enter");
    expect(asked[1]).toEqual({ session: demo.id, path: ["b.ts"] });
    expect(lines().slice(0, 5)).toEqual(["build1:demo  b.ts  modified  +3 -1", "--- a/x", "+++ b/x", "@@ -1 +1,30 @@", "+line 0"]);
    await press("end");
    expect(lines().slice(-3, -1)).toEqual(["+line 28", "+line 29"]);
    await press("up");
    expect(lines().at(-2)).toBe("+line 28");
    await press("home", "right");
    expect(lines()[1]).toBe("");
    await press("left", "escape");
    expect(lines()[2]).toMatch(/^>modified .* b\.ts$/);
    await press("escape");
    expect(state().mode.kind).toBe("list");
  });

  test("show the end of a line of wide characters and tabs", async () => {
    const wide = changed("w.ts", { patch: `+${"\u4e16".repeat(60)}\t\tend` });
    const { open, press, lines } = fixture(answered([wide]), answered([wide]));
    await open();
    await press("enter", ...Array.from({ length: 5 }, () => "right"));
    expect(lines().slice(1).join("\n")).toContain("end");
  });

  test("of a renamed file are requested with both of its names, and n shows the next file", async () => {
    const moved = changed("new.ts", { from: "old.ts", status: "renamed", patch: patch(1) });
    const next = changed("z.ts", { patch: patch(1) });
    const { open, press, lines, asked } = fixture(answered([moved, next]), answered([moved]), answered([next]));
    await open();
    await press("enter");
    expect(asked[1]).toEqual({ session: demo.id, path: ["new.ts", "old.ts"] });
    expect(lines()[0]).toBe("build1:demo  old.ts => new.ts  renamed  +3 -1");
    await press("n");
    expect(lines()[0]).toContain("z.ts");
  });

  test("reach the terminal without control characters", async () => {
    const evil = changed("a\u001b[2Jb\n", { patch: "+x\u001b]0;t\u0007\u009b31m\u202ey\r\n" });
    const { open, press, lines } = fixture(answered([evil], { notes: ["c\u001b[0m"] }), answered([evil]));
    await open();
    const shown = [...lines()];
    await press("enter");
    shown.push(...lines());
    expect(shown.join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
    expect(lines()[1]).toMatch(/^\+x.*t.*31m.*y/);
  });

  test("are cut with a note if they are too many or too long, and not stored beyond that", async () => {
    const large = changed("big.ts", { patch: patch(20_000) });
    const { open, press, lines, state } = fixture(
      answered([large, ...Array.from({ length: 30 }, (_, at) => changed(`f${at}`))], {
        next: "more",
        total: { files: 5_000, added: 1, removed: 1 },
      }),
      answered([large]),
    );
    await open();
    expect(lines().join("\n")).toContain("31 of 5000 files; `tmpm diff build1:demo --stat` lists all");
    await press("enter", "end");
    expect(lines().at(-2)).toBe("truncated here; `tmpm diff build1:demo` shows all of it");
    const { mode } = state();
    expect(mode.kind === "hunks" && mode.loaded.kind === "shown" ? mode.loaded.value.lines.length : 0).toBe(5_000);
  });

  test("show why there is nothing to show", async () => {
    const none = fixture(new TmpmError("REPOSITORY_NOT_FOUND", "no repository there", { hint: "Use git init." }), answered([]));
    await none.open();
    expect(none.lines()[1]).toMatch(/no repository there/);
    await none.press("r");
    expect(none.lines()[1]).toBe("nothing changed");
    const large = fixture(answered([changed("big", { too_large: true })]), answered([changed("big", { too_large: true })]));
    await large.open();
    await large.press("enter");
    expect(large.lines()[1]).toBe("too large to show");
  });

  test("that arrive late, for a view that was left, are not shown", async () => {
    const { open, press, state, hear } = fixture(answered([changed("a.ts")]));
    await open();
    await press("escape");
    await hear({ kind: "changes", session: NAMED, loaded: { kind: "failed", text: "late" } });
    expect(state().mode.kind).toBe("list");
  });
});
