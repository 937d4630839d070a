import type { HolderClient } from "@tmpm/holder";
import type { NumberedEvent } from "../conversation/event.js";

/** Followers of all events. A slow one is notified once it has caught up, and then queries its missed events. */
export interface Followers {
  add(client: HolderClient): void;
  remove(client: HolderClient): void;
  publish(numbered: NumberedEvent): void;
}

export function followers(): Followers {
  const following = new Map<number, { readonly client: HolderClient; behind: boolean }>();

  async function catchUp(client: HolderClient): Promise<void> {
    await client.drained();
    following.delete(client.id);
    client.emit({ behind: true });
  }

  return {
    add: (client) => void following.set(client.id, { client, behind: false }),
    remove: (client) => void following.delete(client.id),
    publish(numbered) {
      for (const one of following.values()) {
        if (one.behind || one.client.emit(numbered)) continue;
        one.behind = true;
        void catchUp(one.client);
      }
    },
  };
}
