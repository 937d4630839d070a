import type { HolderClient } from "@tmpm/holder";
import type { HeldInfo } from "./held-info.js";

/** Clients that get every report on the terminal; one that is behind gets the latest once it has caught up. */
export interface Watchers {
  add(client: HolderClient): void;
  delete(client: HolderClient): void;
  /** There is a new report. */
  changed(): void;
}

type State = "ready" | "behind" | "missed";

export function watchers(info: () => HeldInfo): Watchers {
  const states = new Map<HolderClient, State>();

  function report(client: HolderClient): void {
    if (client.emit({ type: "info", info: info() })) return;
    states.set(client, "behind");
    void client.drained().then(() => {
      const missed = states.get(client) === "missed";
      if (!states.has(client)) return;
      states.set(client, "ready");
      if (missed) report(client);
    });
  }

  return {
    add: (client) => void states.set(client, "ready"),
    delete: (client) => void states.delete(client),
    changed() {
      for (const [client, state] of states) {
        if (state === "ready") report(client);
        else states.set(client, "missed");
      }
    },
  };
}
