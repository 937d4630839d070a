import type { NodeAnswer } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { isTmpmError } from "@tmpm/core";

export interface NodeCheck {
  readonly node: string;
  readonly check: "answers" | "same_version" | "clock" | "own_key" | "sessions";
  readonly ok: boolean;
  readonly message: string;
  readonly hint: string | null;
}

/** Maximum clock difference: above it, shown ages such as "3 minutes ago" are wrong. */
const MOST_SKEW_MS = 2_000;
const ANSWER_MS = 5_000;

/** The findings about one node. */
export async function examineNode(
  node: NodeAnswer,
  { client, version }: { readonly client: Pick<Client, "counts">; readonly version: string },
): Promise<readonly NodeCheck[]> {
  const { label, presence, reason, hint, round_trip_ms, skew_ms, same_node_as } = node;
  const checkOf = (
    check: NodeCheck["check"],
    { ok, message, advice = null }: { ok: boolean; message: string; advice?: string | null },
  ): NodeCheck => ({
    node: label,
    check,
    ok,
    message,
    hint: ok ? null : advice,
  });
  const isOnline = presence === "online";
  const answers = checkOf("answers", {
    ok: isOnline,
    message: isOnline ? `answers${round_trip_ms === null ? "" : ` in ${round_trip_ms} ms`}` : (reason ?? `${presence}`),
    advice: hint,
  });
  const key = checkOf("own_key", {
    ok: same_node_as.length === 0,
    message: same_node_as.length === 0 ? "has a unique key" : `has the same key as ${same_node_as.join(", ")}`,
    advice: "The same machine twice: remove one label. A copied home folder: move node.json out of tmpm's data folder of the copy.",
  });
  if (!isOnline) return [answers, key];
  const clock = Math.abs(skew_ms ?? 0);
  return [
    answers,
    checkOf("same_version", {
      ok: node.version === version,
      message: node.version === version ? `runs tmpm ${version}, like this machine` : `runs tmpm ${node.version}, this machine ${version}`,
      advice: "It works, but features of the newer version are refused; update the older one.",
    }),
    checkOf("clock", {
      ok: clock <= MOST_SKEW_MS,
      message:
        skew_ms === null || clock <= MOST_SKEW_MS
          ? "its clock agrees with this machine's"
          : `its clock is ${Math.round(clock / 1000)} s ${skew_ms > 0 ? "ahead" : "behind"}`,
      advice: "Synchronize both with NTP: leases do not depend on the clock, but displayed ages do.",
    }),
    key,
    await sessions(client, checkOf),
  ];
}

async function sessions(
  client: Pick<Client, "counts">,
  checkOf: (check: NodeCheck["check"], found: { ok: boolean; message: string; advice?: string | null }) => NodeCheck,
): Promise<NodeCheck> {
  try {
    const { live, total } = await client.counts({}, { timeoutMs: ANSWER_MS });
    return checkOf("sessions", { ok: true, message: `has ${total} sessions, ${live} of them live` });
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    return checkOf("sessions", { ok: false, message: error.message, advice: error.hint });
  }
}
