import { expect, test } from "vitest";
import { pullRequestText } from "../../src/finish/finish-message.js";

test("the text of a pull request is truncated to the limit of the host, at a whole character, and marked as truncated", () => {
  const long = `x${"\u{1f600}".repeat(40_000)}`;
  const bodies = [
    pullRequestText({ task: "Do it", name: "demo" }, { commits: [], message: null, lastWords: long }).body,
    pullRequestText({ task: "", name: "demo" }, { commits: [], message: `Title\n\n${long}`, lastWords: null }).body,
  ];
  for (const body of bodies) {
    expect(body.length).toBeLessThan(65_536);
    expect(body).toMatch(/\u{1f600}\n\n\[The rest was cut by tmpm\.\]$/u);
  }
});
