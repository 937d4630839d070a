/** Outcomes of a stream's commands, so that each is executed once, over any connection. */
export interface CommandLog<T> {
  /**
   * Executes the command with this number, or returns its earlier outcome. Null if that is no longer stored, or a later command of
   * the client came first.
   */
  once(command: { readonly client: string; readonly id: number }, perform: () => Promise<T>): Promise<T> | null;
}

export interface CommandLogOptions {
  readonly clients: number;
  /** Outcomes of each client. */
  readonly outcomes: number;
}

interface Client<T> {
  last: number;
  readonly outcomes: Map<number, Promise<T>>;
}

export function commandLog<T>({ clients, outcomes }: CommandLogOptions): CommandLog<T> {
  const known = new Map<string, Client<T>>();

  /** The map is ordered by last use. */
  function heard(name: string): Client<T> {
    const client = known.get(name) ?? { last: 0, outcomes: new Map() };
    known.delete(name);
    known.set(name, client);
    forgetFirst(known, clients);
    return client;
  }

  return {
    once({ client: name, id }, perform) {
      const client = heard(name);
      const before = client.outcomes.get(id);
      if (before !== undefined || id <= client.last) return before ?? null;
      const outcome = perform();
      client.last = id;
      client.outcomes.set(id, outcome);
      forgetFirst(client.outcomes, outcomes);
      return outcome;
    },
  };
}

function forgetFirst<K>(map: Map<K, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
