import { fakeTmux } from "@tmpm/tmux-driver/fake";
import { expect, test } from "vitest";

test("a build that fails is reported", async () => {
  const tmux = fakeTmux();
  const pane = await tmux.driver.create({ sessionId: "ci", tmuxName: "ci", cwd: "/project", argv: ["sh"], env: {}, columns: 80, rows: 24 });
  await tmux.driver.paste(pane.identity, "sleep 60; exit 2");
  await tmux.driver.keys(pane.identity, ["Enter"]);

  tmux.advance(60_000);

  expect((await tmux.driver.capture(pane.identity)).pane.exit?.status).toBe(2);
});
