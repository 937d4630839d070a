import { ERRORS, isTmpmError, TmpmError, toErrorBody } from "@tmpm/core";
import type { Report } from "./command.js";
import { context } from "./context.js";
import { print } from "./output.js";
import { parse } from "./parse.js";
import { errorLines } from "./render/error.js";
import { VERSION } from "./version.js";

/** Runs one command line and prints what it has to say. Returns the exit status. */
export async function run(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<number> {
  const json = wantsJson(argv);
  try {
    const parsed = await parse(argv, { version: VERSION });
    if (parsed.kind === "text") {
      print(parsed.text);
      return 0;
    }
    return printReport(await parsed.command.execute(parsed.raw, context({ env, version: VERSION, json })), { json, env });
  } catch (error) {
    const known = isTmpmError(error) ? error : internal(error);
    if (json) print(`${JSON.stringify({ error: toErrorBody(known) })}\n`);
    else printNotes(errorLines(known));
    return ERRORS[known.code].exit;
  }
}

/** As the parsers see it: what follows `--` is not an option. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end < 0 ? argv : argv.slice(0, end)).includes("--json");
}

function printReport(report: Report, { json, env }: { json: boolean; env: Readonly<Record<string, string | undefined>> }): number {
  const text = json ? report.json : report.text({ now: Date.now(), userHome: env.HOME ?? null });
  if (text !== "") print(`${text}\n`);
  if (!json) printNotes(report.notes);
  return report.exit;
}

/** The first line says what happened, further ones what to do. */
function printNotes(lines: readonly string[]): void {
  if (lines.length > 0) print(`tmpm: ${lines.join("\n      ")}\n`, 2);
}

function internal(error: unknown): TmpmError {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new TmpmError("INTERNAL", text, { effect: "unknown", hint: "This is a fault in tmpm; please report it.", cause: error });
}
