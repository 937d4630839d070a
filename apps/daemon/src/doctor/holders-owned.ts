import type { Finding } from "@tmpm/api/local";
import { type FoundHolder, listHolders } from "@tmpm/holder";
import type { SessionStore } from "@tmpm/store";

export interface HoldersOptions {
  /** The folders of holders. */
  readonly bases: readonly string[];
  readonly store: Pick<SessionStore, "get">;
}

const NAME = "holders";

/** Whether every process that holds a session's program belongs to a session. */
export async function holdersOwned({ bases, store }: HoldersOptions): Promise<readonly Finding[]> {
  const found = (await Promise.all(bases.map((base) => listHolders(base)))).flat();
  const running = found.flatMap((holder) => (holder.kind === "running" ? [holder] : []));
  const strays = await Promise.all(running.map(async (holder) => ((await isOwned(holder, store)) ? [] : [holder])));
  const [first, ...more] = strays.flat();
  if (first === undefined)
    return [{ name: NAME, status: "ok", message: running.length === 0 ? "none runs" : `${running.length}, each of a session`, hint: null }];
  const pids = [first, ...more].map(({ facts }) => facts.pid).join(" ");
  return [
    {
      name: NAME,
      status: "warn",
      message: `${more.length + 1} belong to sessions that are not known or have ended: ${pids}`,
      hint: `\`tmpm reconcile\` takes up what can be taken up. To end one with its program: kill ${first.facts.pid}`,
    },
  ];
}

type Running = Extract<FoundHolder, { readonly kind: "running" | "gone" }>;

/** A record that cannot be read may be the holder's. */
async function isOwned({ facts }: Running, store: Pick<SessionStore, "get">): Promise<boolean> {
  const entry = await store.get(facts.session_id);
  if (entry === null) return false;
  return entry.kind !== "session" || !ENDED.has(entry.record.state);
}

const ENDED: ReadonlySet<string> = new Set(["stopped", "decommissioned", "deleted"]);
