import type { Command } from "./command.js";

/** Those that `HOT` does not name are a file of their own in the built program, which the others never read. */
function rarely(name: keyof typeof import("./rare-commands.js").RARE): () => Promise<Command> {
  return async () => (await import("./rare-commands.js")).RARE[name]();
}

/** Every verb, in the order of the help; a module is loaded when it is needed. */
export const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map<string, () => Promise<Command>>([
  ["new", rarely("newSession")],
  ["ls", async () => (await import("./commands/ls.js")).ls],
  ["show", async () => (await import("./commands/show.js")).show],
  ["attach", rarely("attach")],
  ["send", async () => (await import("./commands/send.js")).send],
  ["queue", rarely("queue")],
  ["cancel", rarely("cancel")],
  ["turns", rarely("turns")],
  ["keys", async () => (await import("./commands/keys.js")).keys],
  ["capture", async () => (await import("./commands/capture.js")).capture],
  ["wait", async () => (await import("./commands/wait.js")).wait],
  ["next", async () => (await import("./commands/next.js")).next],
  ["top", rarely("top")],
  ["why", async () => (await import("./commands/why.js")).why],
  ["approve", async () => (await import("./commands/approve.js")).approve],
  ["deny", async () => (await import("./commands/deny.js")).deny],
  ["answer", rarely("answer")],
  ["stop", async () => (await import("./commands/stop.js")).stop],
  ["resume", rarely("resume")],
  ["pause", rarely("pause")],
  ["interrupt", rarely("interrupt")],
  ["restart", rarely("restart")],
  ["uploads", rarely("uploads")],
  ["set", rarely("set")],
  ["rename", rarely("rename")],
  ["archive", rarely("archive")],
  ["rm", rarely("rm")],
  ["undo", rarely("undo")],
  ["reactivate", rarely("reactivate")],
  ["adopt", rarely("adopt")],
  ["discover", rarely("discover")],
  ["reconcile", rarely("reconcile")],
  ["counts", rarely("counts")],
  ["projects", rarely("projects")],
  ["trust", rarely("trust")],
  ["events", rarely("events")],
  ["notify", rarely("notify")],
  ["import", rarely("importCommand")],
  ["hook", rarely("hook")],
  ["token", rarely("token")],
  ["daemon", rarely("daemon")],
  ["config", rarely("config")],
  ["doctor", rarely("doctor")],
  ["completion", rarely("completion")],
  ["schema", rarely("schema")],
]);

/** Parsed without commander: what people and scripts call all the time. */
export const HOT: ReadonlySet<string> = new Set([
  "ls",
  "show",
  "send",
  "keys",
  "capture",
  "wait",
  "stop",
  "next",
  "why",
  "approve",
  "deny",
]);
