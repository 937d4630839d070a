// Reads the terminal argv[3] from byte argv[4] on and forwards its output, until it is killed.
import type { PaneIdentity } from "@tmpm/core";
import { ptyDriver } from "../src/index.js";

const [, , base = "", identity = "", from = ""] = process.argv;
const driver = ptyDriver({ base, entry: "", attach: "", env: process.env });
await driver.outputFrom(identityOf(JSON.parse(identity)), {
  from: Number(from),
  // The next one reads output that was not forwarded again.
  listener: (event) =>
    new Promise((resolve) => {
      if (event.type !== "chunk") throw new Error(`${event.type} at ${event.offset}`);
      process.send?.(Buffer.from(event.bytes).toString("latin1"), () => resolve());
    }),
});

function identityOf(value: unknown): PaneIdentity {
  return value as PaneIdentity;
}
