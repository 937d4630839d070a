/** Testing an app of one's own on the fake: no tmux, no waiting, and the quirks of the real thing. */
import type { TmuxDriver } from "@tmpm/tmux-driver";
import { fakeTmux } from "@tmpm/tmux-driver/fake";
import { expect, test } from "vitest";

/** The app: starts a build and says how it ended. */
async function build(driver: TmuxDriver): Promise<string> {
  const { identity } = await driver.create({
    sessionId: "b1",
    tmuxName: "build",
    cwd: "/",
    argv: ["make"],
    env: {},
    columns: 80,
    rows: 24,
  });
  const answer = await driver.find(identity);
  if (answer.kind === "unknown") return "tmux does not answer";
  if (answer.kind === "absent") return "it was closed";
  return answer.value.exit === null ? "it runs" : `it ended with ${answer.value.exit.status}`;
}

test("a failed build is reported with its status", async () => {
  const { driver } = fakeTmux({ programs: { make: (terminal) => void terminal.exit({ status: 2 }) } });
  expect(await build(driver)).toBe("it ended with 2");
});

test("a tmux that hangs is not a build that ended", async () => {
  const { driver, failNext } = fakeTmux({ programs: { make: () => undefined } });
  failNext("find", "unknown");
  expect(await build(driver)).toBe("tmux does not answer");
});
