// A process that owns a control link to the server at argv[2] and reads all output of its panes, until it is killed.
import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { link } from "../src/control/link.js";
import { arrivals } from "../src/transport/arrivals.js";
import { TMUX } from "./tested-tmux.js";

const [, , socket = ""] = process.argv;
const owned = link({
  program: TMUX,
  arguments: ["-u", "-f", "/dev/null", "-S", socket],
  env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "/" },
  deadlines: { read: 15_000, mutate: 20_000 },
  nonce: randomUUID,
  monotonic: () => performance.now(),
  arrivals: arrivals(),
});
owned.onEvent(({ type }) => {
  if (type !== "up") return;
  console.log("up");
  setInterval(() => void owned.ask({ kind: "read", commands: [["capture-pane", "-p", "-t", "=work:", "-S", "-500"]] }), 1);
});
owned.serverRuns();
