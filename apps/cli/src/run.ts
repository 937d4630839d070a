import { ERRORS, isTmpmError, TmpmError, toErrorBody, visibleText } from "@tmpm/core";
import type { RawInput, Report } from "./command.js";
import { COMMANDS } from "./commands.js";
import type { Line, View } from "./context.js";
import { settledEnv } from "./input/settled-env.js";
import { parse } from "./parse/parse.js";
import { errorLines } from "./render/error.js";
import type { Showing } from "./render/shown-text.js";
import { terminalView } from "./render/terminal-view.js";
import { VERSION } from "./version.js";

export interface RunOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** False once the reader is gone. */
  readonly print: (text: string | Uint8Array, fd: 1 | 2) => boolean;
  /** Cells in a line of the terminal on standard output or standard error; null (default) if there is none. */
  readonly columns?: (fd: 1 | 2) => Promise<number | null>;
}

const NOTE_INDENT = "tmpm: ".length;

/** Runs one command line and prints its output. Returns the exit status. */
export async function run(argv: readonly string[], { env, print, columns = async () => null }: RunOptions): Promise<number> {
  const json = wantsJson(argv);
  const terminal = async (fd: 1 | 2) => terminalView(env, await columns(fd));
  const view = async (): Promise<View> => ({ now: Date.now(), userHome: env.HOME || null, terminal: await terminal(1) });
  const note = async (lines: readonly string[]) => print(await shown(notes(lines), { terminal: await terminal(2), hang: NOTE_INDENT }), 2);
  try {
    const parsed = await parse(argv, { version: VERSION, columns: () => columns(1) });
    if (parsed.kind === "text") {
      print(parsed.text, 1);
      return 0;
    }
    const { context } = await import("./context.js");
    const settled = await settledEnv(env);
    const emit = (line: Line) => print(`${json ? printableJson(line.json) : line.text}\n`, 1);
    const { command, raw } = parsed;
    const own = context({
      env,
      settled,
      version: VERSION,
      commands: () => Promise.all(Array.from(COMMANDS.values(), (load) => load())),
      json,
      print: emit,
      write: (bytes) => print(bytes, 1),
      view,
    });
    const report = mayNameNode(raw)
      ? await (await import("./fleet/run-placed.js")).runPlaced(command, { raw, context: own })
      : await command.execute(raw, own);
    const text = json ? printableJson(report.json) : await textOf(report, await view());
    if (text !== "") print(`${text}\n`, 1);
    if (!json && report.notes.length > 0) await note(report.notes);
    return report.exit;
  } catch (error) {
    const known = isTmpmError(error) ? error : await unforeseen(error);
    if (json) print(`${printableJson(JSON.stringify({ error: toErrorBody(known) }))}\n`, 1);
    else await note(errorLines(known));
    return ERRORS[known.code].exit;
  }
}

async function textOf(report: Report, view: View): Promise<string> {
  const text = report.text(view);
  return view.terminal === undefined ? text : shown(text, { terminal: view.terminal, hang: report.verbatim ? null : 2 });
}

async function shown(text: string, { terminal, hang }: Showing): Promise<string> {
  if (terminal.columns === null) return text;
  const { shownText } = await import("./render/shown-text.js");
  return shownText(text, { terminal, hang });
}

/** `--on NODE`, or a colon as in `NODE:SESSION`. */
function mayNameNode({ positionals, values }: RawInput): boolean {
  return values.on !== undefined || positionals.some((word) => word.includes(":"));
}

/** As parsed: words after `--` are not options. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end < 0 ? argv : argv.slice(0, end)).includes("--json");
}

/** The same value with these characters escaped: JSON leaves them raw, and a terminal would interpret them. They only occur inside strings. */
function printableJson(json: string): string {
  return json.replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** The first line states the error, further ones the next steps. The texts come from sessions and other machines. */
function notes(lines: readonly string[]): string {
  return `tmpm: ${visibleText(lines.join("\n")).replaceAll("\n", `\n${" ".repeat(NOTE_INDENT)}`)}\n`;
}

async function unforeseen(error: unknown): Promise<TmpmError> {
  const { systemFault } = await import("./system/system-fault.js");
  return systemFault(error) ?? internal(error);
}

function internal(error: unknown): TmpmError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return new TmpmError("INTERNAL", message, {
    effect: "unknown",
    hint: "This is a bug in tmpm; please report it with the command's --json output.",
    details: { stack: stack ?? null },
    cause: error,
  });
}
