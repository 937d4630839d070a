import { StringDecoder } from "node:string_decoder";
import type { ReadStream, WriteStream } from "node:tty";
import type { Terminal, TerminalEvent } from "@tmpm/api/client";
import { hasCode, visibleText } from "@tmpm/core";
import { detachKey, LEAVE, withoutQueries } from "@tmpm/core/attached";

export interface StreamAttachOptions {
  readonly name: string;
  readonly readOnly: boolean;
  /** This terminal decides the size, also if another viewer does so far. */
  readonly takeOver: boolean;
  readonly stdin: Pick<ReadStream, "setRawMode" | "isTTY" | "on" | "off" | "pause" | "resume">;
  readonly stdout: Pick<WriteStream, "write" | "on" | "off" | "once" | "columns" | "rows">;
}

const ALTERNATE = "\u001b[?1049h\u001b[2J\u001b[H";

/** Shows a terminal's stream in this terminal, and sends the typed keys to it, until Ctrl-\ twice or the end of the stream. Returns the exit status. */
export async function streamAttach(terminal: Terminal, options: StreamAttachOptions): Promise<number> {
  const { name, readOnly, takeOver, stdin, stdout } = options;
  let why: string | null = null;
  const leave = (reason: string) => {
    why ??= reason;
    terminal.close();
  };
  // Another viewer decides the size, or the session does not run: the stream continues, or ends itself.
  const refused = (error: unknown) => {
    if (hasCode(error, "INVALID_STATE", "PANE_GONE", "DAEMON_UNREACHABLE", "SHUTTING_DOWN", "UNCONFIRMED")) return;
    leave(error instanceof Error ? visibleText(error.message) : "refused");
  };
  const decoder = new StringDecoder("utf8");
  const typed = (bytes: Uint8Array) => {
    const text = decoder.write(Buffer.from(bytes));
    if (!readOnly && text !== "") void terminal.type(text).catch((error: unknown) => refused(error));
  };
  const hear = detachKey({ typed, detach: () => leave(`detached from ${visibleText(name)}`) });
  const fit = () => {
    const { columns, rows } = stdout;
    if (!readOnly && columns > 0 && rows > 0)
      void terminal.resize({ columns, rows }, { takeOver }).catch((error: unknown) => refused(error));
  };
  const hangUp = () => leave("the terminal no longer exists");
  const faults: unknown[] = [];
  // An error in a listener would end the process without restoring the terminal.
  const guarded =
    <A extends readonly unknown[]>(listener: (...args: A) => void) =>
    (...args: A) => {
      try {
        listener(...args);
      } catch (error) {
        faults.push(error);
        leave("it failed");
      }
    };
  const [heard, fitted] = [guarded(hear), guarded(fit)];

  try {
    if (stdin.isTTY) stdin.setRawMode(true);
    stdin.on("data", heard);
    stdin.on("end", hangUp);
    stdin.on("error", hangUp);
    stdin.resume();
    stdout.on("resize", fitted);
    for (const signal of ["SIGHUP", "SIGTERM"] as const) process.on(signal, hangUp);
    stdout.write(ALTERNATE);
    fitted();
    await shown(terminal, { stdout, ended: () => leave("the session has ended") });
    if (faults.length > 0) throw faults[0];
    return 0;
  } finally {
    for (const signal of ["SIGHUP", "SIGTERM"] as const) process.off(signal, hangUp);
    stdout.off("resize", fitted);
    stdin.off("data", heard);
    stdin.off("end", hangUp);
    stdin.off("error", hangUp);
    stdin.pause();
    if (stdin.isTTY) stdin.setRawMode(false);
    stdout.write(`${LEAVE}[${why ?? "the connection ended"}]\r\n`);
  }
}

async function shown(
  terminal: AsyncIterable<TerminalEvent>,
  { stdout, ended }: { readonly stdout: Pick<WriteStream, "write" | "once">; readonly ended: () => void },
): Promise<void> {
  let filter = withoutQueries();
  for await (const event of terminal) {
    if (event.kind === "end") return ended();
    if (event.kind === "size") continue;
    if (event.kind === "screen") filter = withoutQueries();
    const bytes = event.kind === "screen" ? event.screen.paint : filter(event.bytes);
    if (!stdout.write(bytes)) await new Promise<void>((resolve) => void stdout.once("drain", () => resolve()));
  }
}
