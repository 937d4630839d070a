import { StringDecoder } from "node:string_decoder";
import type { ReadStream, WriteStream } from "node:tty";
import type { Size } from "./state.js";
import { StdinBuffer, type Terminal } from "./terminal-ui.js";

/** Enables the alternate screen, bracketed paste and mouse presses in xterm's SGR form, and disables wrapping. */
const ENTER = "\u001b[?1049h\u001b[?7l\u001b[?2004h\u001b[?1000h\u001b[?1006h\u001b[H\u001b[2J";
const LEAVE = "\u001b[?1006l\u001b[?1000l\u001b[?2004l\u001b[?7h\u001b[0m\u001b[?25h\u001b[?1049l";
/** An escape followed by nothing within this time is the Escape key. */
const ESCAPE_MS = 50;
/** The library would also clear the scrollback, which belongs to the user. */
const CLEAR_SCROLLBACK = "\u001b[3J";

export interface FullScreen extends Terminal {
  readonly size: () => Size;
}

export interface TopTerminal {
  readonly stdin: ReadStream;
  readonly stdout: WriteStream;
}

export interface FullScreenOptions extends TopTerminal {
  readonly onResize: (size: Size) => void;
}

/** The whole terminal for the library, from `start` to `stop`, which restores it. Both may be called repeatedly. */
export function fullScreen({ stdin, stdout, onResize }: FullScreenOptions): FullScreen {
  let stop: () => void = () => undefined;
  const size = () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 });
  return {
    start(onInput, resized) {
      stop();
      stop = taken({
        stdin,
        stdout,
        onInput,
        resized: () => {
          onResize(size());
          resized();
        },
      });
    },
    stop() {
      stop();
      stop = () => undefined;
    },
    drainInput: async () => undefined,
    write: (data) => void stdout.write(data.replaceAll(CLEAR_SCROLLBACK, "")),
    get columns() {
      return size().columns;
    },
    get rows() {
      return size().rows;
    },
    size,
    kittyProtocolActive: false,
    moveBy: (lines) => void (lines !== 0 && stdout.write(lines > 0 ? `\u001b[${lines}B` : `\u001b[${-lines}A`)),
    hideCursor: () => void stdout.write("\u001b[?25l"),
    showCursor: () => void stdout.write("\u001b[?25h"),
    clearLine: () => void stdout.write("\u001b[K"),
    clearFromCursor: () => void stdout.write("\u001b[J"),
    clearScreen: () => void stdout.write("\u001b[2J\u001b[H"),
    setTitle: () => undefined,
    setProgress: () => undefined,
  };
}

interface Taking extends TopTerminal {
  readonly onInput: (data: string) => void;
  readonly resized: () => void;
}

/** Takes over the terminal, and returns a function that restores it. */
function taken({ stdin, stdout, onInput, resized }: Taking): () => void {
  const buffer = new StdinBuffer({ timeout: ESCAPE_MS });
  buffer.on("data", onInput);
  buffer.on("paste", (text) => onInput(`\u001b[200~${text}\u001b[201~`));
  // Setting the stream's own encoding could not be undone, and an attached terminal needs bytes.
  const decoder = new StringDecoder("utf8");
  const read = (data: Buffer) => {
    const text = decoder.write(data);
    if (text !== "") buffer.process(text);
  };
  stdin.setRawMode(true);
  stdin.on("data", read).resume();
  stdout.on("resize", resized).write(ENTER);
  // A stopped process is not notified of a resize.
  process.kill(process.pid, "SIGWINCH");
  const giveBack = () => {
    process.off("exit", giveBack);
    stdout.off("resize", resized).write(LEAVE);
    stdin.off("data", read).pause();
    stdin.setRawMode(false);
    buffer.destroy();
  };
  process.on("exit", giveBack);
  return giveBack;
}
