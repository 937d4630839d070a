/** Runs a program in a separate tmux server, waits for its output, types an answer, and ends it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseText } from "@tmpm/core";
import { oneShotDriver } from "@tmpm/tmux-driver";

export async function main(print: (line: string) => void): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "tmpm-example-"));
  const tmux = oneShotDriver({ socket: { path: join(dir, "tmux.sock") }, stateDir: join(dir, "state"), env: process.env });
  const { identity } = await tmux.create({
    sessionId: "example",
    tmuxName: "example",
    cwd: dir,
    argv: ["/bin/sh", "-c", 'echo "your name?"; read -r name; echo "hello $name"; exec sleep 60'],
    env: {},
    columns: 80,
    rows: 24,
  });

  const shows = async (words: string) => {
    for (;;) {
      const { lines } = await tmux.capture(identity);
      if (lines.some((line) => line.includes(words))) return;
      await pause(50);
    }
  };
  await shows("your name?");
  await tmux.paste(identity, parseText("world; not a command #{pid}"));
  await tmux.keys(identity, ["Enter"]);
  await shows("hello world; not a command #{pid}");
  print("it printed hello");

  const { survivors } = await tmux.kill(identity, { graceMs: 1000 });
  print(`it ended, with ${survivors.length} survivors`);
  const server = await tmux.server();
  if (server.kind === "present") process.kill(server.value.pid);
  await tmux.close();
  await rm(dir, { recursive: true });
}
