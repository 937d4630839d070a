import type { EventBody, SessionRecord } from "@tmpm/core";
import type { SessionHost } from "@tmpm/host";
import type { MemoryStore } from "@tmpm/store/memory";
import type { TmuxDriver } from "@tmpm/tmux-driver";
import type { CreateInput, Step, Supervisor } from "../src/index.js";

/** A supervisor over a host, pretended or real, and the outside of both: the same cases run on any. */
export interface HostFixture {
  readonly sessions: Supervisor;
  readonly store: MemoryStore;
  readonly events: readonly EventBody[];
  readonly faults: readonly unknown[];
  readonly driver: Pick<SessionHost, "list" | "rename">;
  /** What is created as a session whose program waits until it is ended. */
  readonly job: Omit<CreateInput, "name" | "cwd">;
  /** A directory that exists. */
  readonly cwd: string;
  /** Called at every step; what it throws ends the operation there. */
  onStep(listener: ((step: Step) => void) | null): void;
  /** Another supervisor over the same records and the same host. */
  restarted(): Supervisor;
  /** Ends the program of a session that runs `job`. */
  end(record: SessionRecord, status: number): Promise<void>;
  dispose(): Promise<void>;
}

/** The same with a tmux server below. */
export interface ServerHostFixture extends HostFixture {
  readonly driver: TmuxDriver;
  /** A foreign tmux server, which is observed without being named. */
  readonly foreign: { readonly socket: string; open(tmuxName: string): Promise<void>; close(tmuxName: string): Promise<void> };
  /** Another tmpm with records of its own on the same tmux server. */
  anotherHome(): { readonly sessions: Supervisor; readonly store: MemoryStore };
  /** Starts a session that tmpm knows nothing of, on its own server. */
  open(tmuxName: string): Promise<void>;
  /** `kill-session` from outside. */
  close(tmuxName: string): Promise<void>;
  rename(tmuxName: string, to: string): Promise<void>;
  killServer(): Promise<void>;
  /** Another server at once, whose pane ids begin again. */
  restartServer(): Promise<void>;
  stopServer(): Promise<void>;
  continueServer(): Promise<void>;
}

/** A program that waits until it is ended. */
export const job = { agent: "command", argv: ["/bin/sh", "-c", "read status; exit $status"] } as const;

/** The same, which says something first. What a program says in the moment of its end, tmux may not read any more. */
export const speakingJob = { agent: "command", argv: ["/bin/sh", "-c", "echo words; read status; exit $status"] } as const;

export async function panesOf({ driver }: Pick<HostFixture, "driver">) {
  const answer = await driver.list();
  return answer.kind === "present" ? answer.value : [];
}

/** The records as they lie in the store, by name. */
export async function recordsOf({ store }: Pick<HostFixture, "store">): Promise<ReadonlyMap<string, SessionRecord>> {
  const entries = await store.list({ archived: true });
  return new Map(entries.flatMap((entry) => (entry.kind === "session" ? [[entry.record.name, entry.record] as const] : [])));
}

export async function recordOf(fixture: Pick<HostFixture, "store">, name: string): Promise<SessionRecord> {
  const record = (await recordsOf(fixture)).get(name);
  if (record === undefined) throw new Error(`no record is called ${name}`);
  return record;
}
