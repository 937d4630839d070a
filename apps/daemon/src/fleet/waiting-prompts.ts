import { NodePrompt } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { compareTimestamps, isTmpmError, keyedQueue, TmpmError, timestampFromMs } from "@tmpm/core";
import type { Timer } from "@tmpm/fleet";
import type { DocumentStore } from "@tmpm/store";
import * as z from "zod";

/**
 * The stored form. The id of the machine is that behind the label when the prompt was written; the id of the session is that behind its name at the
 * first attempt, null before.
 */
export const KeptPrompt = NodePrompt.extend({
  schema_version: z.literal(1),
  node_id: z.string(),
  session_id: z.string().nullable().default(null),
});
export type KeptPrompt = z.infer<typeof KeptPrompt>;

/** The node as the sender of its prompts needs it. */
export interface PromptTarget {
  readonly label: string;
  /** The machine that answers now; null while none does. */
  readonly nodeId: string | null;
  readonly client: Pick<Client, "show" | "submit">;
}

export interface NewPrompt {
  readonly session: string;
  readonly prompt: string;
  readonly expires_ms: number;
  readonly key: string | null;
}

/** Whose prompt it is. */
export interface PromptOwner {
  readonly label: string;
  /** The id of the machine; asked for once no removal of the node can come between. @throws NODE_NOT_FOUND, NODE_OFFLINE */
  readonly nodeId: () => string;
}

export interface WaitingPrompts {
  /** Durable before it resolves. @throws IDEMPOTENCY_MISMATCH, QUEUE_FULL, and the errors of `nodeId` */
  add(prompt: NewPrompt, to: PromptOwner): Promise<NodePrompt>;
  /** Oldest first; null for all nodes. */
  list(labels: readonly string[] | null): Promise<readonly NodePrompt[]>;
  /** The nodes of unsent prompts. */
  labels(): ReadonlySet<string>;
  /** Waits for no attempt at another prompt. @throws SEND_NOT_FOUND, INVALID_STATE */
  cancel(id: string): Promise<NodePrompt>;
  /** Sends those of a node that answers, in order. Resolves once none waits, or the node no longer answers. */
  deliver(to: PromptTarget): Promise<void>;
  /** The node was removed: ends its prompts, also those that are being added. */
  drop(label: string): Promise<void>;
  get(id: string): Promise<NodePrompt | null>;
  /** The number of unsent prompts for a node that have not expired. */
  count(label: string): number;
}

export interface WaitingPromptsOptions {
  readonly store: DocumentStore<KeptPrompt>;
  readonly timer: Pick<Timer, "wall">;
  readonly newId: () => string;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

const DAY_MS = 24 * 3_600_000;
/** Maximum number of unsent prompts for one node. */
const MOST = 100;
const SHOW_MS = 10_000;
const SUBMIT_MS = 30_000;

/** Prompts for nodes that do not answer. Each is written before every attempt, so that a crash leaves it known as possibly sent. */
export async function waitingPrompts({ store, timer, newId, report }: WaitingPromptsOptions): Promise<WaitingPrompts> {
  const { documents, damaged } = await store.all();
  for (const { path, reason } of damaged) report({ doing: `read the prompt for a node in ${path}`, error: new Error(reason) });
  const prompts = new Map(documents);
  // By id, so that nothing waits for an attempt at another prompt.
  const changing = keyedQueue();
  // By label: `add` and `drop` are serialized, and so is `deliver`.
  const [adding, delivering] = [keyedQueue(), keyedQueue()];

  function isOpen({ state }: KeptPrompt): boolean {
    return state === "waiting" || state === "sending";
  }

  function isPast({ expires_at }: KeptPrompt): boolean {
    return Date.parse(expires_at) <= timer.wall();
  }

  async function put(prompt: KeptPrompt): Promise<KeptPrompt> {
    await store.put(prompt.id, prompt);
    prompts.set(prompt.id, prompt);
    return prompt;
  }

  function ended(prompt: KeptPrompt, how: Pick<KeptPrompt, "state" | "reason"> & Partial<Pick<KeptPrompt, "turn">>): Promise<KeptPrompt> {
    return put({ ...prompt, ...how, ended_at: timestampFromMs(timer.wall()) });
  }

  /** What has expired meanwhile ends; what ended a day ago is forgotten. */
  async function upToDate(): Promise<void> {
    const now = timer.wall();
    for (const prompt of [...prompts.values()]) {
      if (isOpen(prompt) && isPast(prompt) && !changing.busy(prompt.id))
        await changing.run(prompt.id, async () => expired(prompts.get(prompt.id) ?? prompt));
      if (prompt.ended_at === null || Date.parse(prompt.ended_at) + DAY_MS > now) continue;
      await store.delete(prompt.id);
      prompts.delete(prompt.id);
    }
  }

  async function expired(prompt: KeptPrompt): Promise<void> {
    if (prompt.state === "waiting") await ended(prompt, { state: "expired", reason: prompt.reason });
    if (prompt.state === "sending")
      await ended(prompt, { state: "unknown", reason: "it expired before the node confirmed it; it may have arrived" });
  }

  function of(label: string): KeptPrompt[] {
    return [...prompts.values()].filter(({ node }) => node === label).toSorted(byAge);
  }

  /** The oldest one that is not sent. */
  function first(label: string): string | undefined {
    return of(label).find(isOpen)?.id;
  }

  /** Whether the next one may be sent: this one has ended. */
  function attempted(id: string, to: PromptTarget): Promise<boolean> {
    return changing.run(id, async () => {
      const prompt = prompts.get(id);
      return prompt === undefined || !isOpen(prompt) || sent(prompt, to);
    });
  }

  async function sent(prompt: KeptPrompt, { nodeId, client }: PromptTarget): Promise<boolean> {
    if (nodeId === null) return false;
    if (isPast(prompt)) {
      await expired(prompt);
      return true;
    }
    if (prompt.node_id !== nodeId) return refused(prompt, "another machine answers under this label");
    const { session, session_id, prompt: text, key, state: before } = prompt;
    const shown = session_id === null ? await outcome(client.show({ session }, { timeoutMs: SHOW_MS })) : { id: session_id };
    if (isTmpmError(shown)) return failed(prompt, { before, error: shown });
    // To the id: another session may get the name before the next attempt.
    const begun = await put({ ...prompt, session_id: shown.id, state: "sending" });
    const turn = await outcome(
      client.submit({ session: shown.id, prompt: text, queue: true, idempotency_key: key }, { timeoutMs: SUBMIT_MS }),
    );
    if (isTmpmError(turn)) return failed(begun, { before, error: turn });
    await ended(begun, { state: "sent", turn: turn.id, reason: null });
    return true;
  }

  async function failed(prompt: KeptPrompt, { before, error }: Failure): Promise<boolean> {
    if (error.effect === "unknown") {
      await put({ ...prompt, reason: error.message });
      return false;
    }
    if (PASSING.has(error.code)) {
      // An earlier attempt may have arrived.
      await put({ ...prompt, state: before, reason: error.message });
      return false;
    }
    return refused({ ...prompt, state: before }, error.message);
  }

  /** Ends the attempts. An earlier one may have arrived if the prompt was `sending`. */
  async function refused(prompt: KeptPrompt, reason: string): Promise<true> {
    if (prompt.state === "sending") await ended(prompt, { state: "unknown", reason: `${reason}; an earlier attempt may have arrived` });
    else await ended(prompt, { state: "failed", reason });
    return true;
  }

  async function dropped(id: string): Promise<void> {
    const prompt = prompts.get(id);
    if (prompt?.state === "waiting") await ended(prompt, { state: "cancelled", reason: "the node was removed" });
    if (prompt?.state === "sending")
      await ended(prompt, { state: "unknown", reason: "the node was removed before it confirmed the prompt" });
  }

  function found(id: string): KeptPrompt {
    const matches = [...prompts.values()].filter((prompt) => prompt.id.startsWith(id));
    const [only] = matches;
    if (only === undefined || matches.length > 1)
      throw new TmpmError("SEND_NOT_FOUND", only === undefined ? `no prompt ${id} waits for a node` : `several prompts begin with ${id}`, {
        hint: "`tmpm nodes waiting` lists them.",
      });
    return only;
  }

  return {
    async add({ session, prompt, expires_ms, key }, { label, nodeId }) {
      await upToDate();
      const id = newId();
      return adding.run(label, async () => {
        const node_id = nodeId();
        const same = key === null ? undefined : of(label).find((other) => other.key === key);
        if (same !== undefined) {
          if (same.session === session && same.prompt === prompt) return answer(same);
          throw new TmpmError("IDEMPOTENCY_MISMATCH", `the key ${key} was used for another prompt`);
        }
        if (count(label) >= MOST)
          throw new TmpmError("QUEUE_FULL", `${MOST} prompts wait for ${label}`, { hint: "`tmpm nodes cancel` cancels one." });
        const now = timer.wall();
        const [created_at, expires_at] = [timestampFromMs(now), timestampFromMs(now + expires_ms)];
        const kept = { id, node: label, node_id, session, session_id: null, prompt, key: key ?? id, created_at, expires_at };
        return answer(await put({ ...kept, schema_version: 1, state: "waiting", turn: null, reason: null, ended_at: null }));
      });
    },
    async list(labels) {
      await upToDate();
      const all = [...prompts.values()].filter(({ node }) => labels === null || labels.includes(node));
      return all.toSorted(byAge).map(answer);
    },
    async get(id) {
      const prompt = prompts.get(id);
      return prompt === undefined ? null : answer(prompt);
    },
    async cancel(id) {
      await upToDate();
      const { id: whole } = waiting(found(id));
      return changing.run(whole, async () => answer(await ended(waiting(found(whole)), { state: "cancelled", reason: null })));
    },
    deliver: (to) =>
      delivering.run(to.label, async () => {
        for (let id = first(to.label); id !== undefined; id = first(to.label)) if (!(await attempted(id, to))) return;
      }),
    drop: (label) =>
      adding.run(label, async () => {
        await Promise.all(of(label).map(({ id }) => changing.run(id, () => dropped(id))));
      }),
    labels: () => new Set([...prompts.values()].filter(isOpen).map(({ node }) => node)),
    count,
  };

  function count(label: string): number {
    return of(label).filter((prompt) => isOpen(prompt) && !isPast(prompt)).length;
  }
}

interface Failure {
  /** The prompt's state before the attempt. */
  readonly before: KeptPrompt["state"];
  readonly error: TmpmError;
}

/** Failures without effect that pass by themselves. */
const PASSING: ReadonlySet<string> = new Set(["NODE_OFFLINE", "DAEMON_UNREACHABLE", "OVERLOADED", "SHUTTING_DOWN", "NOT_READY"]);

function answer({ schema_version: _, node_id: __, session_id: ___, ...prompt }: KeptPrompt): NodePrompt {
  return prompt;
}

function byAge(one: KeptPrompt, other: KeptPrompt): number {
  return compareTimestamps(one.created_at, other.created_at);
}

/** @throws INVALID_STATE for one whose sending has begun */
function waiting(prompt: KeptPrompt): KeptPrompt {
  const { state, node, session, turn } = prompt;
  if (state === "waiting") return prompt;
  throw new TmpmError("INVALID_STATE", state === "sending" ? "it is being sent, and may have arrived" : `it is ${state}`, {
    ...(turn === null ? {} : { hint: `\`tmpm cancel ${node}:${session} ${turn}\` cancels its turn.` }),
  });
}

/** The result, or the failure. */
function outcome<T>(work: Promise<T>): Promise<T | TmpmError> {
  return work.catch((error: unknown) => {
    if (isTmpmError(error)) return error;
    throw error;
  });
}
