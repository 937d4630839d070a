import type { Output, Parsed } from "@tmpm/api";
import { readForeign, requireFree, writeForeign } from "@tmpm/store/foreign";
import type { Supervisor } from "@tmpm/supervisor";

/** Imports from a path on this machine. */
export async function importFrom(supervisor: Supervisor, { from, path, dry_run }: Parsed<"import">): Promise<Output<"import">> {
  const { documents, ...imported } = await supervisor.import({ files: await readForeign({ from, path }), dry_run });
  return { ...imported, path, documents: documents.map((document) => ({ ...document, notes: [...document.notes] })) };
}

/** Exports to an unused path on this machine. */
export async function exportTo(supervisor: Supervisor, { to, path, dry_run = false }: Parsed<"export">): Promise<Output<"export">> {
  requireFree(path, to);
  const { sessions, files } = await supervisor.export({ to });
  if (!dry_run) await writeForeign(path, files);
  return { to, path, dry_run, sessions: sessions.map((session) => ({ ...session, notes: [...session.notes] })) };
}
