import { expect, test } from "vitest";
import { fixture } from "../fixtures/fixture.js";

test("an unresponsive host is reported once for all its sessions, with its start, until it answers", async () => {
  const l = fixture({});
  for (const name of ["one", "two"]) await l.sessions.create({ agent: "shell", cwd: "/w", name });
  await l.sessions.create({ agent: "shell", cwd: "/w", name: "stopped" });
  await l.sessions.stop({ session: "stopped" });
  l.sessions.start();
  const silent = async () => (await l.sessions.list({})).silent;
  expect(await silent()).toEqual([]);
  l.tmux.stopServer();
  await expect.poll(silent).toMatchObject([{ host: expect.any(String), reason: "tmux did not answer", sessions: 2 }]);
  const [first] = await silent();
  const from = l.tmux.now();
  await expect.poll(() => l.tmux.now() - from > 60_000).toBe(true);
  expect(await silent()).toEqual([first]);
  l.tmux.continueServer();
  await expect.poll(silent).toEqual([]);
});
