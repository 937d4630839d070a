import { expect, test } from "vitest";
import { withDrawnLines } from "../src/observe/line-drawing.js";
import { styledRows } from "../src/observe/styled-rows.js";

const PLAIN = { faint: false, italic: false, reverse: false, colour: null };

test("splits a captured row into text and styled parts", () => {
  const row = "> \u001b[4m\u001b[7mT\u001b[0m\u001b[38;2;108;112;134m\u001b[49mype 漢\u001b[0;3m\u001b[90mx\u001b[39m y\u001b[23m z";
  expect(styledRows([row])).toEqual({
    lines: ["> Type 漢x y z"],
    styles: [
      [
        { ...PLAIN, from: 2, to: 3, reverse: true },
        { ...PLAIN, from: 3, to: 8, colour: "#6c7086" },
        { ...PLAIN, from: 8, to: 9, italic: true, colour: "8" },
        { ...PLAIN, from: 9, to: 11, italic: true },
      ],
    ],
  });
});

test("continues a style in the next row, up to the end of the text", () => {
  const { lines, styles } = styledRows("\u001b[2mone   \ntwo\u001b[22m three\u001b[38;5;244m   \n\u001b[0m".split("\n"));
  expect(lines).toEqual(["one", "two three", ""]);
  expect(styles).toEqual([[{ ...PLAIN, from: 0, to: 3, faint: true }], [{ ...PLAIN, from: 0, to: 3, faint: true }], []]);
});

test("backgrounds, links and tabs do not change the text", () => {
  const row = "\u001b[48;2;1;2;3ma\u001b[48;5;7mb\u001b[58;5;1mc\u001b[0m\u001b]8;id=1;https://x.test\u001b\\d\u001b]8;;\u001b\\qq\te";
  expect(styledRows([row])).toEqual({ lines: ["abcdqq  e"], styles: [[]] });
});

test("line drawing is shown as drawn, across rows and styles, and in a painted terminal", () => {
  const captured = "q\u000elq\u001b[2mk\u000f q\n\u000ex~\nmqj\u000fq\u001b[0m";
  expect(styledRows(captured.split("\n")).lines).toEqual(["q┌─┐ q", "│·", "└─┘q"]);
  expect(withDrawnLines(captured)).toBe("q┌─\u001b[2m┐ q\n│·\n└─┘q\u001b[0m");
});
