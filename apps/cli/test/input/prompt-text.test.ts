import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { promptText } from "../../src/input/prompt-text.js";
import { temporaryDir } from "../fixtures/temporary-dir.js";

function fromFile(bytes: Uint8Array | string): Promise<string | null> {
  const dir = temporaryDir();
  const file = join(dir.path, "prompt");
  writeFileSync(file, bytes);
  return promptText({ words: [], file }).finally(() => dir[Symbol.dispose]());
}

describe("the text to send", () => {
  test("is the words, joined with single spaces, unchanged", async () => {
    expect(await promptText({ words: ["echo", " a  b ", "\n"], file: undefined })).toBe("echo  a  b  \n");
    expect(await promptText({ words: [""], file: undefined })).toBe("");
    expect(await promptText({ words: ["-", "x"], file: undefined })).toBe("- x");
  });

  test("is missing if none is given", async () => {
    expect(await promptText({ words: [], file: undefined })).toBeNull();
  });

  test.each(["", "\n", "  two\r\nlines\n\n", "\ufeffwith a mark", "grüße 日本語 🙂\t\ufffd"])(
    "is the content of the file, byte for byte: %j",
    async (text) => {
      expect(await fromFile(text)).toBe(text);
    },
  );

  test("is refused if it is not UTF-8", async () => {
    for (const bytes of [[0xff], [0x61, 0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
      await expect(fromFile(Uint8Array.from(bytes))).rejects.toMatchObject({ code: "INVALID_TEXT" });
    }
  });

  test("is refused if it is far larger than a session accepts, without reading the rest", async () => {
    await expect(fromFile("x".repeat(16 * 1024 * 1024 + 1))).rejects.toMatchObject({ code: "TEXT_TOO_LARGE" });
  });

  test("given twice is an error", async () => {
    await expect(promptText({ words: ["x"], file: "f" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  test.each(["/nonexistent/prompt", "/"])("from %s is an error with its reason", async (file) => {
    await expect(promptText({ words: [], file })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringMatching(/cannot read .* \((ENOENT|EISDIR)\)/),
    });
  });
});
