import { expect, test } from "vitest";
import { idOf, recorder } from "../src/contract/sessions.js";
import { openTmux } from "./tmux-fixture.js";

test("text that tmux would also type into other panes is not typed", async () => {
  const fixture = await openTmux();
  const { identity } = await recorder(fixture, { id: "one" });
  const synchronize = (value: string) => fixture.tmux("set-option", "-w", "-t", identity.pane_id, "synchronize-panes", value);
  await synchronize("on");
  await fixture.driver.keys(identity, ["a"]);
  await fixture.tmux("split-window", "-t", identity.pane_id, "sleep 1000");
  const refused = { code: "TMUX_FAILED", effect: "none", message: expect.stringContaining("synchronize-panes") };
  await expect(fixture.driver.keys(identity, ["Enter"])).rejects.toMatchObject(refused);
  await expect(fixture.driver.paste(identity, "b")).rejects.toMatchObject(refused);
  await synchronize("off");
  await fixture.driver.keys(identity, ["c"]);
  await expect.poll(() => fixture.received(idOf(fixture, "one"))).toBe("ac");
});
