import { dirname } from "node:path";
import { detachKey, LEAVE, withoutQueries } from "@tmpm/core/attached";
import { isTmpmError } from "@tmpm/core/errors";
import { connectHolder, type HolderLink } from "@tmpm/holder";
import { refuseDebugger } from "@tmpm/processes";
import { heldInfo } from "../held/held-info.js";

// Shows a terminal of ours in the current terminal: `node pty-attach SOCKET PID START [--read-only] [--keep-size]`.

/** How long the hint for detaching is shown, in milliseconds. */
const NOTICE_MS = 1500;
/** How long a detaching user waits for the session's name, in milliseconds. */
const NAME_MS = 500;
/** How long a terminal may take to accept the last bytes, in milliseconds. */
const LEAVES_MS = 1000;
refuseDebugger();

const [, , socket = "", pid = "", start = "", ...flags] = process.argv;
const readOnly = flags.includes("--read-only");
const keepSize = readOnly || flags.includes("--keep-size");
const { stdin, stdout } = process;

await attach().catch((error: unknown) => {
  process.stderr.write(`${isTmpmError(error) ? error.message : String(error)}\n`);
  process.exit(1);
});

async function attach(): Promise<void> {
  const filter = withoutQueries();
  let painted = false;
  const link: HolderLink = await connectHolder(dirname(socket), {
    onEvent(event, bytes) {
      const type = typeOf(event);
      if (type === "chunk") stdout.write(filter(bytes));
      if (type === "screen" || type === "gap") stdout.write(bytes);
      if (type === "screen" && !painted) notice(link, nameIn(event));
      painted ||= type === "screen";
      if (type === "exited") leave("the session's program has ended");
    },
    onClosed: () => leave("the session has ended"),
  });
  if (String(link.facts.pid) !== pid || String(link.facts.started_at) !== start) throw new Error("the session's terminal was replaced");
  enter(link);
  if (!readOnly) await link.call("viewing", { args: { count: 1 } });
  await fit(link);
  await link.call("subscribe", { args: { from: null } });
}

function enter(link: HolderLink): void {
  if (stdin.isTTY) stdin.setRawMode(true);
  stdout.write("\u001b[?1049h");
  stdout.on("resize", () => void fit(link).catch(ignoreEnd));
  for (const signal of ["SIGHUP", "SIGTERM"] as const) process.on(signal, () => leave(`detached by ${signal}`));
  // The user's terminal is gone.
  for (const stream of [stdin, stdout]) stream.on("error", () => process.exit(0));
  stdin.on("end", () => process.exit(0));
  const type = (bytes: Uint8Array) => void (readOnly ? undefined : link.call("type", { bytes }).catch(ignoreEnd));
  stdin.on(
    "data",
    detachKey({ typed: type, detach: () => void nameNow(link).then((name) => leave(`detached from ${name ?? link.facts.name}`)) }),
  );
}

/** A read-only client, or one that keeps the size, has no size. */
async function fit(link: HolderLink): Promise<void> {
  const { columns, rows } = stdout;
  if (keepSize || !(columns > 0 && rows > 0)) return;
  await link.call("resize", { args: { columns, rows } });
}

/** In the last row, until the screen is painted again. */
function notice(link: HolderLink, name: string | null): void {
  const text = ` ${name ?? link.facts.name}${readOnly ? " (read-only)" : ""}: Ctrl-\\ twice detaches `;
  stdout.write(`\u001b7\u001b[${stdout.rows || 24};1H\u001b[0;7m${text}\u001b[0m\u001b8`);
  setTimeout(() => void link.call("subscribe", { args: { from: null } }).catch(ignoreEnd), NOTICE_MS);
}

/** Its current name; null when its holder does not report it soon. */
async function nameNow(link: HolderLink): Promise<string | null> {
  try {
    return nameIn({ info: (await link.call("info", { patienceMs: NAME_MS })).value });
  } catch (error) {
    ignoreEnd(error);
    return null;
  }
}

function nameIn(event: unknown): string | null {
  return typeof event === "object" && event !== null && "info" in event ? (heldInfo(event.info)?.tmuxName ?? null) : null;
}

/** A lost connection is signalled by its close. */
function ignoreEnd(error: unknown): void {
  if (!isTmpmError(error)) throw error;
}

let left = false;

function leave(why: string): void {
  if (left) return;
  left = true;
  if (stdin.isTTY) stdin.setRawMode(false);
  setTimeout(() => process.exit(0), LEAVES_MS);
  stdout.write(`${LEAVE}[${why}]\r\n`, () => process.exit(0));
}

function typeOf(event: unknown): string {
  return typeof event === "object" && event !== null && "type" in event ? String(event.type) : "";
}
