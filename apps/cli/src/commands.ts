import type { Command } from "./command.js";

/** Every verb, in the order of the help; each module is loaded when it is needed. */
export const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map<string, () => Promise<Command>>([
  ["new", async () => (await import("./commands/new.js")).newSession],
  ["ls", async () => (await import("./commands/ls.js")).ls],
  ["show", async () => (await import("./commands/show.js")).show],
  ["attach", async () => (await import("./commands/attach.js")).attach],
  ["send", async () => (await import("./commands/send.js")).send],
  ["keys", async () => (await import("./commands/keys.js")).keys],
  ["capture", async () => (await import("./commands/capture.js")).capture],
  ["wait", async () => (await import("./commands/wait.js")).wait],
  ["stop", async () => (await import("./commands/stop.js")).stop],
  ["resume", async () => (await import("./commands/resume.js")).resume],
  ["rm", async () => (await import("./commands/rm.js")).rm],
  ["adopt", async () => (await import("./commands/adopt.js")).adopt],
  ["discover", async () => (await import("./commands/discover.js")).discover],
  ["reconcile", async () => (await import("./commands/reconcile.js")).reconcile],
  ["projects", async () => (await import("./commands/projects.js")).projects],
  ["import", async () => (await import("./commands/import.js")).importCommand],
  ["daemon", async () => (await import("./commands/daemon.js")).daemon],
  ["doctor", async () => (await import("./commands/doctor.js")).doctor],
]);

/** Parsed without commander: what people and scripts call all the time. */
export const HOT: ReadonlySet<string> = new Set(["ls", "show", "send", "keys", "capture", "wait", "stop"]);
