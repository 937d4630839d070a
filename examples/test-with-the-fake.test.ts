/** Tests an application on the fake driver: without tmux and waiting, but with the quirks of real terminals. */
import type { TmuxDriver } from "@tmpm/tmux-driver";
import { fakeTmux } from "@tmpm/tmux-driver/fake";
import { expect, test } from "vitest";

/** The application: starts a build and reports how it ended. */
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

test("an unresponsive tmux does not count as an ended build", async () => {
  const { driver, failNext } = fakeTmux({ programs: { make: () => undefined } });
  failNext("find", "unknown");
  expect(await build(driver)).toBe("tmux does not answer");
});
