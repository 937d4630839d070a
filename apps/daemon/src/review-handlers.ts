import type { DiffAnswer } from "@tmpm/api";
import type { SessionDiff, Supervisor } from "@tmpm/supervisor";
import type { Handlers } from "./handlers.js";

/** What a session changed, and what becomes of it. */
export function reviewHandlers(supervisor: Supervisor): Pick<Handlers, "diff"> {
  return {
    diff: async ({ path, ...input }) => diffAnswer(await supervisor.diff({ ...input, paths: path })),
  };
}

function diffAnswer({ record, files, notes, ...seen }: SessionDiff): DiffAnswer {
  return { session_id: record.id, session: record.name, ...seen, files: [...files], notes: [...notes] };
}
