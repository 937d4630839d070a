import { onceDone } from "@tmpm/core";
import type { DocumentStore } from "@tmpm/store";

export type Environment = Readonly<Record<string, string>>;

/**
 * The callers' environments passed to sessions, stored so that a resume after a restart of the daemon has them too. They may contain the
 * user's keys: they are in no record, response, event or log.
 */
export interface LaunchEnvs {
  of(id: string): Promise<Environment>;
  keep(id: string, env: Environment): Promise<void>;
  forget(id: string): Promise<void>;
}

export function launchEnvs(documents: DocumentStore<Environment>): LaunchEnvs {
  const known = new Map<string, Environment>();
  const loaded = onceDone(async () => {
    for (const [id, env] of (await documents.all()).documents) if (!known.has(id)) known.set(id, env);
  });
  return {
    async of(id) {
      await loaded();
      return known.get(id) ?? {};
    },
    async keep(id, env) {
      await loaded();
      await documents.put(id, env);
      known.set(id, env);
    },
    async forget(id) {
      await loaded();
      known.delete(id);
      await documents.delete(id);
    },
  };
}
