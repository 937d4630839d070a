import { NodePrompt } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { isTmpmError, keyedQueue, TmpmError, timestampFromMs } from "@tmpm/core";
import type { Timer } from "@tmpm/fleet";
import type { DocumentStore } from "@tmpm/store";
import * as z from "zod";

/** The stored form; the id of the machine is that behind the label when the prompt was written. */
export const KeptPrompt = NodePrompt.extend({ schema_version: z.literal(1), node_id: z.string() });
export type KeptPrompt = z.infer<typeof KeptPrompt>;

/** The node as the sender of its prompts needs it. */
export interface PromptTarget {
  readonly label: string;
  readonly nodeId: string;
  readonly client: Pick<Client, "submit">;
}

export interface NewPrompt {
  readonly session: string;
  readonly prompt: string;
  readonly expires_ms: number;
  readonly key: string | null;
}

export interface WaitingPrompts {
  /** Durable before it resolves. @throws IDEMPOTENCY_MISMATCH, QUEUE_FULL */
  add(prompt: NewPrompt, to: Pick<PromptTarget, "label" | "nodeId">): Promise<NodePrompt>;
  /** Oldest first; null for all nodes. */
  list(labels: readonly string[] | null): Promise<readonly NodePrompt[]>;
  /** @throws SEND_NOT_FOUND, INVALID_STATE */
  cancel(id: string): Promise<NodePrompt>;
  /** Sends those of a node that answers, in order. Resolves once none waits, or the node no longer answers. */
  deliver(to: PromptTarget): Promise<void>;
  /** The node was removed. */
  drop(label: string): Promise<void>;
  get(id: string): Promise<NodePrompt | null>;
  /** The number of unsent prompts for a node. */
  count(label: string): number;
}

export interface WaitingPromptsOptions {
  readonly store: DocumentStore<KeptPrompt>;
  readonly timer: Pick<Timer, "wall">;
  readonly newId: () => string;
}

const DAY_MS = 24 * 3_600_000;
/** Maximum number of unsent prompts for one node. */
const MOST = 100;
const SUBMIT_MS = 30_000;

/** Prompts for nodes that do not answer. Each is written before every attempt, so that a crash leaves it known as possibly sent. */
export async function waitingPrompts({ store, timer, newId }: WaitingPromptsOptions): Promise<WaitingPrompts> {
  const prompts = new Map((await store.all()).documents);
  const changing = keyedQueue();

  function isOpen({ state }: KeptPrompt): boolean {
    return state === "waiting" || state === "sending";
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
      if (isOpen(prompt) && Date.parse(prompt.expires_at) <= now && !changing.busy(prompt.node))
        await changing.run(prompt.node, async () => expired(prompts.get(prompt.id) ?? prompt));
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
    return [...prompts.values()]
      .filter(({ node }) => node === label)
      .toSorted((one, other) => one.created_at.localeCompare(other.created_at));
  }

  /** Whether the next one may be sent. */
  async function sent(prompt: KeptPrompt, { nodeId, client }: PromptTarget): Promise<boolean> {
    if (Date.parse(prompt.expires_at) <= timer.wall()) {
      await expired(prompt);
      return true;
    }
    if (prompt.node_id !== nodeId) {
      await ended(prompt, { state: "failed", reason: "another machine answers under this label" });
      return true;
    }
    const { session, prompt: text, key } = prompt;
    const begun = await put({ ...prompt, state: "sending" });
    try {
      const turn = await client.submit({ session, prompt: text, queue: true, idempotency_key: key }, { timeoutMs: SUBMIT_MS });
      await ended(begun, { state: "sent", turn: turn.id, reason: null });
      return true;
    } catch (error) {
      if (!isTmpmError(error)) throw error;
      return failed(prompt, { begun, error });
    }
  }

  async function failed(before: KeptPrompt, { begun, error }: { readonly begun: KeptPrompt; readonly error: TmpmError }): Promise<boolean> {
    if (error.effect === "unknown") {
      await put({ ...begun, reason: error.message });
      return false;
    }
    if (PASSING.has(error.code)) {
      // An earlier attempt may have arrived.
      await put({ ...begun, state: before.state, reason: error.message });
      return false;
    }
    await ended(begun, { state: "failed", reason: error.message });
    return true;
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
      return changing.run(`add ${label}`, async () => {
        const same = key === null ? undefined : of(label).find((other) => other.key === key);
        if (same !== undefined) {
          if (same.session === session && same.prompt === prompt) return answer(same);
          throw new TmpmError("IDEMPOTENCY_MISMATCH", `the key ${key} was used for another prompt`);
        }
        if (count(label) >= MOST)
          throw new TmpmError("QUEUE_FULL", `${MOST} prompts wait for ${label}`, { hint: "`tmpm nodes cancel` cancels one." });
        const now = timer.wall();
        const [created_at, expires_at] = [timestampFromMs(now), timestampFromMs(now + expires_ms)];
        const kept = { id, node: label, node_id: nodeId, session, prompt, key: key ?? id, created_at, expires_at };
        return answer(await put({ ...kept, schema_version: 1, state: "waiting", turn: null, reason: null, ended_at: null }));
      });
    },
    async list(labels) {
      await upToDate();
      const all = [...prompts.values()].filter(({ node }) => labels === null || labels.includes(node));
      return all.toSorted((one, other) => one.created_at.localeCompare(other.created_at)).map(answer);
    },
    async get(id) {
      const prompt = prompts.get(id);
      return prompt === undefined ? null : answer(prompt);
    },
    async cancel(id) {
      await upToDate();
      const { node, id: whole } = found(id);
      return changing.run(node, async () => {
        const prompt = found(whole);
        if (prompt.state === "waiting") return answer(await ended(prompt, { state: "cancelled", reason: null }));
        throw new TmpmError(
          "INVALID_STATE",
          prompt.state === "sending" ? "it is being sent, and may have arrived" : `it is ${prompt.state}`,
          {
            ...(prompt.turn === null ? {} : { hint: `\`tmpm cancel ${node}:${prompt.session} ${prompt.turn}\` cancels its turn.` }),
          },
        );
      });
    },
    deliver: (to) =>
      changing.run(to.label, async () => {
        for (const prompt of of(to.label).filter(isOpen)) if (!(await sent(prompt, to))) return;
      }),
    drop: (label) =>
      changing.run(label, async () => {
        for (const prompt of of(label).filter(isOpen))
          await ended(
            prompt,
            prompt.state === "waiting"
              ? { state: "cancelled", reason: "the node was removed" }
              : { state: "unknown", reason: "the node was removed before it confirmed the prompt" },
          );
      }),
    count,
  };

  function count(label: string): number {
    return of(label).filter(isOpen).length;
  }
}

/** Failures without effect that pass by themselves. */
const PASSING: ReadonlySet<string> = new Set(["NODE_OFFLINE", "DAEMON_UNREACHABLE", "OVERLOADED", "SHUTTING_DOWN", "NOT_READY"]);

function answer({ schema_version: _, node_id: __, ...prompt }: KeptPrompt): NodePrompt {
  return prompt;
}
