import { resolve } from "node:path";
import type { ExportAnswer, ImportAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { workingDirectory } from "../input/working-directory.js";
import { usageError } from "../parse/usage-error.js";
import { answersOf } from "../printed.js";
import { renderImport } from "../render/import.js";

const SOURCES = ["trusty-mpm", "ao-rs", "swimmers", "zeroclaw"] as const;
const TARGETS = ["trusty-mpm", "ao-rs", "swimmers"] as const;
/** One durable write per session. */
const TIMEOUT_MS = 600_000;

export const importCommand = command({
  name: "import",
  group: "Take over existing sessions",
  summary: "Import sessions from another program, or export them",
  more: `PATH with --from: trusty-mpm's sessions.json, or the data folder of ao-rs, swimmers or zeroclaw; nothing there is changed. With --export: a new
file for trusty-mpm, a new or empty folder for ao-rs or swimmers. Imported sessions count as stopped: list them with \`tmpm ls\`, start them with \`tmpm resume\`. Importing twice changes nothing. Skipped sessions are listed with the reason, and do not change the exit status.

  tmpm import --from trusty-mpm ~/.trusty-mpm/sessions.json --dry-run
  tmpm import --from ao-rs ~/.ao-rs
  tmpm import --export trusty-mpm sessions.json`,
  args: { path: { takes: "one", label: "PATH", summary: "The other program's file or folder" } },
  options: {
    from: { takes: "text", label: "PROGRAM", summary: `Import from ${SOURCES.join(", ")}` },
    export: { takes: "text", label: "PROGRAM", summary: `Export to ${TARGETS.join(", ")}` },
    dryRun: { takes: "flag", summary: "Report what would be done without writing anything" },
  },
  printed: answersOf("import", "export"),
  async run({ path, from, export: to, dryRun }, context): Promise<ImportAnswer | ExportAnswer> {
    const wanted = { path: resolve(workingDirectory(), path), dry_run: dryRun };
    if (from !== undefined && to !== undefined) throw usageError("--from and --export are mutually exclusive", "Give one of them.");
    if (from !== undefined)
      return context.client().import({ from: oneOf(SOURCES, { given: from, flag: "--from" }), ...wanted }, { timeoutMs: TIMEOUT_MS });
    if (to !== undefined)
      return context.client().export({ to: oneOf(TARGETS, { given: to, flag: "--export" }), ...wanted }, { timeoutMs: TIMEOUT_MS });
    throw usageError("neither --from nor --export is given", "Name the program the sessions come from: tmpm import --from PROGRAM PATH");
  },
  render: renderImport,
  notes: (answer) => [summary(answer)],
});

function oneOf<T extends string>(choices: readonly T[], { given, flag }: { readonly given: string; readonly flag: string }): T {
  const chosen = choices.find((choice) => choice === given);
  if (chosen !== undefined) return chosen;
  throw usageError(`${flag} takes one of ${choices.join(", ")}, not ${JSON.stringify(given)}`, "See `tmpm import --help`.");
}

function summary(answer: ImportAnswer | ExportAnswer): string {
  const outcomes = "documents" in answer ? answer.documents : answer.sessions;
  const count = (outcome: string) => outcomes.filter((each) => each.outcome === outcome).length;
  const skipped = `${count("skipped")} skipped`;
  const done =
    "documents" in answer
      ? `${count("mapped")} imported, ${count("already_there")} already there, ${skipped}`
      : `${count("written")} exported to ${answer.path}, ${skipped}`;
  return answer.dry_run ? `nothing was written; it would be ${done}` : done;
}
