import type { EventBody, SessionRecord } from "@tmpm/core";
import type { SessionHost } from "@tmpm/host";
import type { MemoryStore } from "@tmpm/store/memory";
import type { TmuxDriver } from "@tmpm/tmux-driver";
import type { CreateInput, Step, Supervisor } from "../src/index.js";

/** A supervisor over a fake or real host, and access to both from outside: the same cases run on every host. */
export interface HostFixture {
  readonly sessions: Supervisor;
  readonly store: MemoryStore;
  readonly events: readonly EventBody[];
  readonly faults: readonly unknown[];
  readonly driver: Pick<SessionHost, "list" | "rename">;
  /** Options for a session whose program waits until it is ended. */
  readonly job: Omit<CreateInput, "name" | "cwd">;
  /** An existing directory. */
  readonly cwd: string;
  /** Called at every step; an error that it throws ends the operation there. */
  onStep(listener: ((step: Step) => void) | null): void;
  /** Another supervisor over the same records and the same host. */
  restarted(): Supervisor;
  /** Ends the program of a session that runs `job`. */
  end(record: SessionRecord, status: number): Promise<void>;
  dispose(): Promise<void>;
}

/** A fixture with a tmux server. */
export interface ServerHostFixture extends HostFixture {
  readonly driver: TmuxDriver;
  /** A foreign tmux server, which is observed without being configured. */
  readonly foreign: { readonly socket: string; open(tmuxName: string): Promise<void>; close(tmuxName: string): Promise<void> };
  /** Another tmpm with its own records on the same tmux server. */
  anotherHome(): { readonly sessions: Supervisor; readonly store: MemoryStore };
  /** Starts a session unknown to tmpm, on its own server. */
  open(tmuxName: string): Promise<void>;
  /** `kill-session` from outside. */
  close(tmuxName: string): Promise<void>;
  rename(tmuxName: string, to: string): Promise<void>;
  killServer(): Promise<void>;
  /** A new server at once, whose pane ids start again. */
  restartServer(): Promise<void>;
  stopServer(): Promise<void>;
  continueServer(): Promise<void>;
}

/** A program that waits until it is ended. */
export const job = { agent: "command", argv: ["/bin/sh", "-c", "read status; exit $status"] } as const;

/** A program that prints something first. tmux may miss output at the moment of a program's end. */
export const speakingJob = { agent: "command", argv: ["/bin/sh", "-c", "echo words; read status; exit $status"] } as const;

export async function panesOf({ driver }: Pick<HostFixture, "driver">) {
  const answer = await driver.list();
  return answer.kind === "present" ? answer.value : [];
}

/** The records in the store, by name. */
export async function recordsOf({ store }: Pick<HostFixture, "store">): Promise<ReadonlyMap<string, SessionRecord>> {
  const entries = await store.list({ archived: true });
  return new Map(entries.flatMap((entry) => (entry.kind === "session" ? [[entry.record.name, entry.record] as const] : [])));
}

export async function recordOf(fixture: Pick<HostFixture, "store">, name: string): Promise<SessionRecord> {
  const record = (await recordsOf(fixture)).get(name);
  if (record === undefined) throw new Error(`no record is called ${name}`);
  return record;
}
