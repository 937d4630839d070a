// A process that listens to the output of the first pane of the server at argv[2], until it is killed. It is the only client.
import { oneShotDriver } from "../src/one-shot/driver.js";
import { TMUX } from "./tested-tmux.js";

const [, , socket = "", stateDir = ""] = process.argv;
const driver = oneShotDriver({
  tmux: TMUX,
  socket: { path: socket },
  stateDir,
  env: process.env,
  deadlines: { read: 15_000, mutate: 20_000 },
});
const panes = await driver.list();
const [pane] = panes.kind === "present" ? panes.value : [];
if (pane === undefined) throw new Error(`no pane: ${panes.kind}`);
await driver.output(pane.identity, ({ type }) => {
  if (type === "screen") console.log("reads");
});
