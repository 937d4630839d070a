/** Stores session records of its own with the store, and sees another process's changes. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nameFromDir, nameFromTmuxName, SessionRecord, timestampFromMs, transition } from "@tmpm/core";
import { directoryStore } from "@tmpm/store";

export async function main(print: (line: string) => void): Promise<void> {
  const base = await mkdtemp(join(tmpdir(), "tmpm-example-"));
  const [mine, theirs] = [directoryStore({ base }), directoryStore({ base })];

  const now = timestampFromMs(Date.now());
  const tmux_name = nameFromDir("/srv/my project");
  const record = SessionRecord.parse({
    id: randomUUID(),
    name: nameFromTmuxName(tmux_name),
    tmux_name,
    cwd: "/srv/my project",
    state: "provisioning",
    created_at: now,
    updated_at: now,
    agent: "shell",
  });
  await mine.create(record);
  await theirs.update(record.id, (current) =>
    transition(current, { type: "launched", pane: null, pid: null }, timestampFromMs(Date.now())),
  );

  for (const entry of await mine.find("my-pro")) {
    if (entry.kind === "session") print(`${entry.record.name} is ${entry.record.state}, rev ${entry.record.rev}`);
  }
  await Promise.all([mine.close(), theirs.close()]);
  await rm(base, { recursive: true });
}
