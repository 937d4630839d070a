import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanEnvironment, type EnvironmentSource } from "@tmpm/processes";
import { execa } from "execa";

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
  const tmux = async (...words: readonly string[]) => {
    const options = { env: cleanEnvironment(env), extendEnv: false, reject: false, timeout: deadlineMs, stdin: "ignore" } as const;
    return execa(program, ["-u", "-S", join(folder, "s"), "-f", "/dev/null", ...words], { ...options, killSignal: "SIGKILL" });
  };
  try {
    const begun = await tmux("new-session", "-d", "-x", "40", "-y", "4", PROGRAM);
    if (begun.exitCode !== 0) return { kind: "unproven", reason: begun.stderr || `${program} did not start a server` };
    return await untilShown(async () => (await tmux("display-message", "-p", "#{cursor_x}", ";", "capture-pane", "-p")).stdout, deadlineMs);
  } finally {
    await tmux("kill-server");
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
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
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
