import { eventually } from "../../src/contract/expect.js";
import { type TmuxOptions, tmuxDriver } from "../../src/index.js";
import { openTmux, type TmuxFixture } from "../tmux-fixture.js";

/** A real tmux whose driver uses its connection once a session exists. */
export function openControl(options: Partial<TmuxOptions> = {}): Promise<TmuxFixture> {
  return openTmux(options, tmuxDriver);
}

export async function connected({ driver }: Pick<TmuxFixture, "driver">): Promise<void> {
  await eventually(
    async () => {
      await driver.server();
      return driver.transport;
    },
    (transport) => transport === "control",
  );
}
