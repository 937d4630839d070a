import { join } from "node:path";
import type { Finding } from "@tmpm/api/local";
import { ENDED_STATES } from "@tmpm/core";
import type { FoundHolder } from "@tmpm/holder";
import type { SessionStore } from "@tmpm/store";
import type { ListedHolders } from "./listed-holders.js";

/** The folders of a data folder's holders: those of PTYs, and of protocol (ACP) agents. */
export function holderFolders(home: string): readonly string[] {
  return [join(home, "run", "pty"), join(home, "run", "sdk")];
}

export interface HoldersOptions {
  readonly holders: () => Promise<ListedHolders>;
  readonly store: Pick<SessionStore, "get">;
}

const NAME = "holders";

/** Whether every process that holds a session's program belongs to a session and responds. */
export async function holdersOwned({ holders, store }: HoldersOptions): Promise<readonly Finding[]> {
  const { found, unreadable } = await holders();
  const faults = unreadable.map(
    ({ base, reason }): Finding => ({ name: NAME, status: "fail", message: reason, hint: `Make ${base} readable for you.` }),
  );
  return [...(await strays(found, store)), ...faults, ...found.flatMap(unreadableOf)];
}

function unreadableOf(holder: FoundHolder): readonly Finding[] {
  if (holder.kind !== "unreadable") return [];
  const hint = `Make it readable for you; or, if no process of that session runs, remove ${holder.folder}.`;
  return [{ name: NAME, status: "warn", message: `it is unknown whether a session's program runs: ${holder.reason}`, hint }];
}

async function strays(found: readonly FoundHolder[], store: HoldersOptions["store"]): Promise<readonly Finding[]> {
  const running = found.flatMap((holder) => (holder.kind === "running" ? [holder] : []));
  const [first, ...more] = (await Promise.all(running.map(async (holder) => ((await isOwned(holder, store)) ? [] : [holder])))).flat();
  if (first === undefined)
    return [
      {
        name: NAME,
        status: "ok",
        message: running.length === 0 ? "none running" : `${running.length}, each belonging to a session`,
        hint: null,
      },
    ];
  const pids = [first, ...more].map(({ facts }) => facts.pid).join(" ");
  return [
    {
      name: NAME,
      status: "warn",
      message: `${more.length + 1} belong to unknown or ended sessions: ${pids}`,
      hint: `\`tmpm reconcile\` recovers what it can. To end one with its program: kill ${first.facts.pid}`,
    },
  ];
}

type Running = Extract<FoundHolder, { readonly kind: "running" | "gone" }>;

/** The holder may belong to an unreadable record. */
async function isOwned({ facts }: Running, store: Pick<SessionStore, "get">): Promise<boolean> {
  const entry = await store.get(facts.session_id);
  if (entry === null) return false;
  if (entry.kind !== "session") return true;
  // A launch that was never confirmed leaves `errored`, and perhaps a running program that `tmpm reconcile` takes up.
  const { state } = entry.record;
  return state === "errored" || !ENDED_STATES.includes(state);
}
