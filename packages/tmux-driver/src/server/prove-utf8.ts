import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cleanEnvironment, type EnvironmentSource, type ProgramEnd, runProgram } from "@tmpm/processes";

/** `wrong`: tmux answered with other characters. `unproven`: it could not be queried. */
export type Utf8Proof =
  | { readonly kind: "shown" }
  | { readonly kind: "wrong"; readonly row: string; readonly cells: number }
  | { readonly kind: "unproven"; readonly reason: string };

export interface ProveUtf8Options {
  readonly env: EnvironmentSource;
  /** The tmux program; looked up on the environment's path by default. */
  readonly program?: string;
  readonly deadlineMs?: number;
}

/** A character of two cells, one of a letter and an accent, and one that ends the row. */
const PRINTED = "日e\u0301|";
const CELLS = 4;
/** A constant: a pane's command is never built from data. It ends by itself, in case no process is left to end its server. */
const PROGRAM = "printf '\\346\\227\\245e\\314\\201|'; exec sleep 30";
const POLL_MS = 50;

/** Shows characters that need UTF-8 in a temporary server, and reads them back with their cell widths. */
export async function proveUtf8({ env, program = "tmux", deadlineMs = 8_000 }: ProveUtf8Options): Promise<Utf8Proof> {
  const folder = await mkdtemp(join(tmpdir(), "tmpm-utf8-"));
  const tmux = (...words: readonly string[]) =>
    runProgram({
      argv: [program, "-u", "-S", join(folder, "s"), "-f", "/dev/null", ...words],
      env: cleanEnvironment(env),
      withinMs: deadlineMs,
    });
  const look = async () => {
    const end = await tmux("display-message", "-p", "#{cursor_x}", ";", "capture-pane", "-p");
    return end.kind === "ended" ? end.stdout : "";
  };
  try {
    const begun = await tmux("new-session", "-d", "-x", "40", "-y", "4", PROGRAM);
    if (begun.kind === "ended" && begun.status === 0) return await untilShown(look, deadlineMs);
    return { kind: "unproven", reason: reasonOf(begun) || `${program} did not start a server` };
  } finally {
    await tmux("kill-server");
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

function reasonOf(end: ProgramEnd): string {
  if (end.kind === "refused") return end.error.message;
  return end.kind === "ended" ? end.stderr : "";
}

async function untilShown(look: () => Promise<string>, deadlineMs: number): Promise<Utf8Proof> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const [cells = "", row = ""] = (await look()).split("\n");
    if (row.endsWith("|")) {
      const isRight = row.normalize("NFD") === PRINTED.normalize("NFD") && Number(cells) === CELLS;
      return isRight ? { kind: "shown" } : { kind: "wrong", row, cells: Number(cells) };
    }
    if (performance.now() > deadline) return { kind: "unproven", reason: `nothing was shown within ${deadlineMs} ms` };
    await sleep(POLL_MS);
  }
}
