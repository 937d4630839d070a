import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type AskedAnswer, SESSION_HEADER } from "@tmpm/api";
import { expect, test } from "vitest";
import type { HandlerRequest } from "../../src/routes/handlers.js";
import { openDoors, SESSION, SESSION_SECRET } from "../fixtures/door-fixture.js";

const HEADERS = { authorization: `Bearer ${SESSION_SECRET}`, [SESSION_HEADER]: SESSION };
const ID = "9c9f0f6a-24f1-4a0c-8b57-3d2a8f6f1c11";
const AT = "2026-01-02T09:14:00Z";
const ANSWER = { text: "blue", choice: null, by: null, at: AT, delivery: "waiting", turn_id: null, collected_at: null } as const;
const QUESTION: AskedAnswer = {
  ...{ id: ID, session_id: SESSION, session: "asker", question: "Which one?", choices: [] },
  ...{ asked_at: AT, answer: ANSWER, withdrawn_at: null },
};

/** A session that asks; with `cut`, its connection breaks while the answer is written. */
async function asker({ cut }: { readonly cut: boolean }) {
  const received: Promise<boolean>[] = [];
  const doors = await openDoors({
    handlers: {
      ask: async () => ({ ...QUESTION, answer: null }),
      question: async (_input, request: HandlerRequest) => {
        received.push(request.received());
        if (cut) doors.doors.cut();
        return QUESTION;
      },
    },
  });
  return { url: new URL(`http://127.0.0.1:${doors.port}`), received };
}

test.each([true, false])("a response is received once all of it has been sent; connection broken: %s", async (cut) => {
  const { url, received } = await asker({ cut });
  const answered = fetch(new URL(`/v1/sessions/${SESSION}/questions/${ID}`, url), { headers: HEADERS }).then((response) => response.json());
  if (cut) await expect(answered).rejects.toThrow();
  else expect(await answered).toEqual(QUESTION);
  expect(await Promise.all(received)).toEqual([!cut]);
});

test.each([true, false])("the answer to a tool is received with the tool's own response; connection broken: %s", async (cut) => {
  const { url, received } = await asker({ cut });
  const mcp = new Client({ name: "test", version: "1" });
  await mcp.connect(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit: { headers: HEADERS } }));
  const answered = mcp.callTool({ name: "ask_human", arguments: { question: "Which one?" } });
  if (cut) await expect(answered).rejects.toThrow();
  else expect((await answered).structuredContent).toMatchObject({ status: "answered", answer: "blue" });
  expect(await Promise.all(received)).toEqual([!cut]);
  await mcp.close();
});
