import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { geminiBegun } from "../src/gemini/begun.js";
import { openFolder } from "./executable.js";

const AT = Date.UTC(2026, 10, 28, 21, 23, 45);

test("lists conversations started since a time in order, without sub-agents and empty ones", async () => {
  using folder = openFolder();
  const chat = (project: string, minute: string, head: object | string) => {
    const chats = join(folder.path, ".gemini/tmp", project, "chats");
    mkdirSync(chats, { recursive: true });
    const id = typeof head === "string" ? "00000000" : String(Object.values(head)[0]).slice(0, 8);
    writeFileSync(
      join(chats, `session-2026-11-28T${minute}-${id}.jsonl`),
      `${typeof head === "string" ? head : JSON.stringify(head)}\n{}\n`,
    );
  };
  const head = (sessionId: string, seconds: number, kind = "main") => ({
    sessionId,
    startTime: new Date(AT + seconds * 1_000).toISOString(),
    kind,
  });
  chat("a", "21-24", head("33333333-late", 60));
  chat("a", "21-23", head("22222222-now", 0));
  chat("b", "21-23", head("44444444-else", 1));
  chat("a", "21-23", head("11111111-before", -1));
  chat("a", "21-23", head("55555555-helper", 5, "subagent"));
  chat("a", "21-25", "{cut");
  const begun = await geminiBegun({ env: { HOME: folder.path }, sinceMs: AT });
  expect(begun.map(({ conversationId }) => conversationId)).toEqual(["22222222-now", "44444444-else", "33333333-late"]);
  expect(await geminiBegun({ env: { HOME: join(folder.path, "nobody") }, sinceMs: 0 })).toEqual([]);
});
