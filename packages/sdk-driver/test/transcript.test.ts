import { describe, expect, test } from "vitest";
import { withNote, withSaid, withTool } from "../src/transcript/add-entry.js";
import { MOST_ENTRIES, MOST_OUTPUT, MOST_SAID, MOST_UNITS } from "../src/transcript/bounds.js";
import { EMPTY_TRANSCRIPT, type Transcript } from "../src/transcript/transcript.js";
import { transcriptLines } from "../src/transcript/transcript-lines.js";
import { wordsOf } from "../src/transcript/words.js";

const say = (transcript: Transcript, who: "user" | "agent" | "thought", text: string, message: string | null = null) =>
  withSaid(transcript, { who, text, message });

describe("the messages", () => {
  test("in pieces become one entry, until the other side speaks", () => {
    let transcript = say(EMPTY_TRANSCRIPT, "user", "hi");
    for (const piece of ["he", "ll", "o"]) transcript = say(transcript, "agent", piece);
    transcript = say(say(transcript, "thought", "hm"), "agent", "again");
    expect(transcript.entries.map((entry) => entry.kind === "said" && `${entry.who}: ${entry.text}`)).toEqual([
      "user: hi",
      "agent: hello",
      "thought: hm",
      "agent: again",
    ]);
  });

  test("become two entries if the agent numbers them so", () => {
    const transcript = say(say(EMPTY_TRANSCRIPT, "agent", "one", "m1"), "agent", "two", "m2");
    expect(transcript.entries).toHaveLength(2);
  });

  test("become two prompts when the user sends two in a row", () => {
    expect(say(say(EMPTY_TRANSCRIPT, "user", "one"), "user", "two").entries).toHaveLength(2);
  });
});

describe("bounds", () => {
  test("keep the newest entries and report the number of dropped ones", () => {
    let transcript = EMPTY_TRANSCRIPT;
    for (let i = 0; i < MOST_ENTRIES + 5; i++) transcript = withNote(transcript, `note ${i}`);
    expect(transcript.entries).toHaveLength(MOST_ENTRIES);
    expect(transcript.dropped).toBe(5);
    expect(transcriptLines(transcript)[0]).toBe("! 5 earlier entries are not kept");
    expect(transcriptLines(transcript).at(-1)).toBe(`! note ${MOST_ENTRIES + 4}`);
  });

  test("apply to the size of all entries together", () => {
    let transcript = EMPTY_TRANSCRIPT;
    for (let i = 0; i < 20; i++) transcript = say(transcript, "user", "x".repeat(MOST_SAID));
    const units = transcript.entries.reduce((sum, entry) => sum + (entry.kind === "said" ? entry.text.length : 0), 0);
    expect(units).toBeLessThanOrEqual(MOST_UNITS);
    expect(transcript.dropped + transcript.entries.length).toBe(20);
  });

  test("truncate a long entry, never within a character, and mark it", () => {
    const said = say(EMPTY_TRANSCRIPT, "agent", `${"x".repeat(MOST_SAID - 1)}😀tail`);
    const [entry] = said.entries;
    expect(entry?.kind === "said" && entry.text.endsWith("[6 more characters not kept]")).toBe(true);
    const more = say(said, "agent", "more");
    expect(more.entries).toEqual(said.entries);
    const tool = withTool(EMPTY_TRANSCRIPT, { id: "t", output: "y".repeat(MOST_OUTPUT * 2) });
    expect(tool.entries[0]?.kind === "used" && tool.entries[0].output.length).toBeLessThan(MOST_OUTPUT + 100);
  });
});

test("a tool is updated in place, regardless of later entries", () => {
  let transcript = withTool(EMPTY_TRANSCRIPT, { id: "t1", title: "bash", tool: "execute" });
  transcript = say(transcript, "agent", "meanwhile");
  transcript = withTool(transcript, { id: "t1", title: "echo hi", status: "completed", output: "hi\n" });
  expect(transcriptLines(transcript)).toEqual(["[execute] echo hi (completed)", "    hi", "", "meanwhile"]);
});

describe("the lines of a conversation", () => {
  test("mark each speaker, and end with the plan", () => {
    let transcript = say(EMPTY_TRANSCRIPT, "user", "fix it\nplease");
    transcript = say(transcript, "thought", "let me see");
    transcript = say(transcript, "agent", "Done.\n");
    transcript = withNote(
      {
        ...transcript,
        plan: [
          { content: "look", status: "completed" },
          { content: "fix", status: "in_progress" },
        ],
      },
      "the end",
    );
    expect(transcriptLines(transcript)).toEqual([
      "> fix it",
      "  please",
      "",
      "~ let me see",
      "",
      "Done.",
      "",
      "! the end",
      "",
      "plan:",
      "  [x] look",
      "  [>] fix",
    ]);
  });

  test("contain no sequence of agent and tool text that a terminal would obey", () => {
    const evil = "\u001b[31mred\u001b[0m \u001b]0;title\u0007 bell\u0007 a\tb over\rwritten \u202eback \u009b2J";
    const lines = transcriptLines(withTool(say(EMPTY_TRANSCRIPT, "agent", evil), { id: "t", title: evil, output: evil }));
    for (const line of lines) expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/u);
    expect(lines[0]).toContain("written");
  });

  test("show the newest lines of long output, and the total number", () => {
    const output = Array.from({ length: 30 }, (_, i) => `row ${i}`).join("\n");
    const lines = transcriptLines(withTool(EMPTY_TRANSCRIPT, { id: "t", title: "ls", output }));
    expect(lines[1]).toBe("    ... 10 lines before");
    expect(lines.at(-1)).toBe("    row 29");
  });
});

test("the last messages of both sides are reported, and a reply only once there is one", () => {
  const asked = say(say(say(EMPTY_TRANSCRIPT, "user", "a"), "agent", "A"), "user", "b");
  expect(wordsOf(asked)).toEqual({ prompt: "b", message: "A", reply: null });
  expect(wordsOf(say(asked, "agent", "B"))).toEqual({ prompt: "b", message: "B", reply: "B" });
});
