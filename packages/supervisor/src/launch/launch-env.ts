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

export interface LaunchEnvsOptions {
  readonly documents: DocumentStore<Environment>;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

export function launchEnvs({ documents, report }: LaunchEnvsOptions): LaunchEnvs {
  const known = new Map<string, Environment>();
  const loaded = onceDone(async () => {
    const { documents: kept, damaged } = await documents.all();
    for (const [id, env] of kept) if (!known.has(id)) known.set(id, env);
    for (const { path, reason } of damaged) report({ doing: `reading the environment in ${path}`, error: new Error(reason) });
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
