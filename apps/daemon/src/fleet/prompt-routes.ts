import type { NodePrompt, Output, Parsed } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { TmpmError } from "@tmpm/core";
import type { KeptNode as Kept, Timer } from "@tmpm/fleet";
import type { KeptNode } from "./node-record.js";
import type { PromptTarget, WaitingPrompts } from "./waiting-prompts.js";
import { within } from "./within.js";

/** A node as its prompts need it. */
export interface Addressee {
  readonly record: KeptNode;
  readonly kept: Pick<Kept, "state">;
  readonly client: Pick<Client, "show" | "submit">;
}

export interface PromptRoutes {
  readonly routes: {
    addNodePrompt(input: Parsed<"addNodePrompt">): Promise<NodePrompt>;
    nodePrompts(input: Parsed<"nodePrompts">): Promise<Output<"nodePrompts">>;
    cancelNodePrompt(input: Parsed<"cancelNodePrompt">): Promise<NodePrompt>;
  };
  /** Sends what waits for a node, as far as it answers, and goes on later if it does not accept all. One at a time for each node. Never rejects. */
  deliver(node: Addressee): Promise<void>;
  /** Starts no further attempt, and resolves once none is under way. */
  close(): Promise<void>;
}

export interface PromptRoutesOptions {
  readonly prompts: WaitingPrompts;
  /** @throws NODE_NOT_FOUND */
  readonly find: (label: string) => Addressee;
  readonly timer: Timer;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

const HOUR_MS = 3_600_000;
/** Until the next attempt at a node that answers, but did not accept a prompt. */
const AGAIN_MS = 5_000;
/** A request waits no longer for its prompt to be sent. */
const ANSWER_MS = 3_000;

export function promptRoutes({ prompts, find, timer, report }: PromptRoutesOptions): PromptRoutes {
  const running = new Map<Addressee, Promise<void>>();
  /** Each ends the wait for the next attempt. */
  const retries = new Map<Addressee, () => void>();
  let isClosing = false;

  function deliver(node: Addressee): Promise<void> {
    const present = running.get(node);
    if (present !== undefined) return present;
    retries.get(node)?.();
    retries.delete(node);
    if (isClosing || node.kept.state().link === null || !prompts.labels().has(node.record.label)) return Promise.resolve();
    const run = attempts(node);
    running.set(node, run);
    return run;
  }

  /** Over each link that opens meanwhile. */
  async function attempts(node: Addressee): Promise<void> {
    const { label } = node.record;
    for (;;) {
      const { link } = node.kept.state();
      await prompts
        .deliver(targetOf(node))
        .catch((error: unknown) => report({ doing: `send the prompts that wait for node ${label}`, error }));
      const now = node.kept.state().link;
      if (isClosing || now === null || !prompts.labels().has(label)) break;
      if (now !== link) continue;
      retries.set(
        node,
        timer.after(AGAIN_MS, () => void deliver(node)),
      );
      break;
    }
    // With the last look at the number of prompts: one that is added from now on starts the next run.
    running.delete(node);
  }

  return {
    routes: {
      async addNodePrompt({ node, session, prompt, expires_ms = HOUR_MS, idempotency_key = null }) {
        let addressee = find(node);
        const nodeId = () => {
          addressee = find(node);
          return idOf(addressee);
        };
        const added = await prompts.add({ session, prompt, expires_ms, key: idempotency_key }, { label: node, nodeId });
        await within(ANSWER_MS, { timer, work: deliver(addressee) });
        return (await prompts.get(added.id)) ?? added;
      },
      async nodePrompts({ node }) {
        for (const label of node) find(label);
        return { prompts: [...(await prompts.list(node.length === 0 ? null : node))], next: null };
      },
      cancelNodePrompt: ({ prompt }) => prompts.cancel(prompt),
    },
    deliver,
    async close() {
      isClosing = true;
      for (const stop of retries.values()) stop();
      retries.clear();
      await Promise.all(running.values());
    },
  };
}

/** @throws NODE_OFFLINE */
function idOf({ kept, record: { label, seen } }: Addressee): string {
  const id = kept.state().link?.peer.node_id ?? seen?.node_id;
  if (id !== undefined) return id;
  throw new TmpmError("NODE_OFFLINE", `${label} has never answered, so that another machine might get the prompt`, {
    hint: `\`tmpm nodes doctor ${label}\` shows why it does not answer.`,
    details: { node: label },
  });
}

function targetOf({ record, kept, client }: Addressee): PromptTarget {
  return {
    label: record.label,
    // Another machine may answer before the last prompt is sent.
    get nodeId() {
      return kept.state().link?.peer.node_id ?? null;
    },
    client,
  };
}
