import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { digest, prompt } from "./script.js";
import { type MockModel, mockModel } from "./server.js";

let model: MockModel;

beforeEach(async () => {
  model = await mockModel();
});

afterEach(() => model.close());

const shell = { type: "object", properties: { command: { type: "string" } }, required: ["command"] };

interface Dialect {
  readonly protocol: string;
  readonly path: string;
  readonly ask: (words: string, result: boolean) => object;
}

const DIALECTS: readonly Dialect[] = [
  {
    protocol: "anthropic",
    path: "/v1/messages",
    ask: (words, result) => ({
      model: "m",
      stream: true,
      tools: [{ name: "Bash", input_schema: shell }],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "<system-reminder>x</system-reminder>" },
            { type: "text", text: words },
          ],
        },
        ...(result ? [{ role: "user", content: [{ type: "tool_result", content: "out" }] }] : []),
      ],
    }),
  },
  {
    protocol: "responses",
    path: "/v1/responses",
    ask: (words, result) => ({
      model: "m",
      stream: true,
      tools: [{ type: "function", name: "exec_command", parameters: shell }],
      input: [
        { type: "message", role: "user", content: [{ type: "input_text", text: words }] },
        ...(result ? [{ type: "function_call_output", output: "out" }] : []),
      ],
    }),
  },
  {
    protocol: "chat",
    path: "/v1/chat/completions",
    ask: (words, result) => ({
      model: "m",
      stream: true,
      tools: [{ function: { name: "bash", parameters: shell } }],
      messages: [{ role: "user", content: words }, ...(result ? [{ role: "tool", content: "out" }] : [])],
    }),
  },
  {
    protocol: "gemini",
    path: "/v1beta/models/m:streamGenerateContent",
    ask: (words, result) => ({
      tools: [{ functionDeclarations: [{ name: "run_shell_command", parametersJsonSchema: shell }] }],
      contents: [
        { role: "user", parts: [{ text: words }] },
        ...(result ? [{ role: "user", parts: [{ functionResponse: { response: { output: "out" } } }] }] : []),
      ],
    }),
  },
];

describe.each(DIALECTS)("mock model in $protocol", ({ protocol, path, ask }) => {
  async function answer(words: string, result = false): Promise<{ status: number; body: string }> {
    const response = await fetch(model.url + path, { method: "POST", body: JSON.stringify(ask(words, result)) });
    return { status: response.status, body: await response.text() };
  }

  test("answers with a digest of the messages, and records them", async () => {
    const words = "hello\n\u2713 'x' \t";
    expect((await answer(words)).body).toContain(digest(words));
    expect(model.exchanges).toEqual([expect.objectContaining({ protocol })]);
    expect(model.exchanges[0]?.conversation.userTexts).toContain(words);
  });

  test("the mock model calls a tool once, and returns the requested text after the result", async () => {
    const words = prompt({ run: "echo 1", say: "finished" });
    expect((await answer(words)).body).toContain("echo 1");
    const after = await answer(words, true);
    expect(after.body).toContain("finished");
    expect(after.body).not.toContain("echo 1");
  });

  test("rejects with a limit in its API's format", async () => {
    const resets = await answer(prompt({ limit: { resetS: 7_200 } }));
    const usedUp = await answer(prompt({ limit: { resetS: null } }));
    expect([resets.status, usedUp.status]).toEqual([429, 429]);
    expect(resets.body).not.toBe(usedUp.body);
    expect(model.faults).toEqual([]);
  });

  test("the mock model fails on request", async () => {
    expect((await answer(prompt({ status: 400 }))).status).toBe(400);
    expect(model.faults).toEqual([]);
  });
});
