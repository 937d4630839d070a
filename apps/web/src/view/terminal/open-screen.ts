import { openTerminal, type Terminal as Stream, type TerminalEvent } from "@tmpm/api/client";
import { hasCode, isTmpmError } from "@tmpm/core/errors";
import { SearchAddon } from "@xterm/addon-search";
import { Unicode11Addon } from "@xterm/addon-unicode11";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { Terminal } from "@xterm/xterm";
import { ALIVE_MS } from "../../daemon/alive.js";
import { streams, tmpm } from "../../daemon/tmpm.js";
import { screenReader } from "../../state/screen-reader.js";
import { connection } from "../../state/sessions.js";
import { failureText } from "../../words/failure-words.js";
import { askAndOpen } from "./ask-and-open.js";
import { leaveQueries } from "./leave-queries.js";
import { allowStyles } from "./style-document.js";
import { suspectSilence } from "./suspect-silence.js";
import { terminalTheme } from "./terminal-theme.js";

export interface ScreenStanding {
  readonly link: "opening" | "live" | "cut";
  readonly columns: number;
  readonly rows: number;
  readonly size: "mine" | "others" | "unheld";
  /** Why the output ended; null while it continues. */
  readonly ended: string | null;
  /** Why the last command was refused. */
  readonly refusal: string | null;
  /** Keys were pressed while it was not connected. */
  readonly missed: boolean;
}

/** Before the first screen. */
export const OPENING: ScreenStanding = {
  link: "opening",
  columns: 80,
  rows: 24,
  size: "unheld",
  ended: null,
  refusal: null,
  missed: false,
};

export interface OpenScreenOptions {
  readonly session: string;
  readonly writable: boolean;
  readonly label: string;
  readonly small: boolean;
  readonly onStanding: (standing: ScreenStanding) => void;
}

export interface OpenScreen {
  /** Also replaces another viewer. */
  takeSize(): void;
  release(): void;
  /** Selects the next or previous match; returns whether there is one. */
  find(text: string, direction: "next" | "before"): boolean;
  focus(): void;
  close(): void;
}

allowStyles();

const LARGEST = 13;
/** Minimum legible font size, in px; below it the terminal scrolls sideways. */
const SMALLEST = 9.5;
const SMALLEST_OF_MANY = 7;

/** A terminal emulator that follows a session's stream: it is reset to a screen, then fed every byte in order. */
export function openScreen(place: HTMLElement, { session, writable, label, small, onStanding }: OpenScreenOptions): OpenScreen {
  let standing = OPENING;
  /** A response about the size is outdated once this has changed. */
  let sizesLearned = 0;
  /** Where the container was last scrolled to, in pixels. */
  let revealed = 0;
  const change = (part: Partial<ScreenStanding>) => {
    standing = { ...standing, ...part };
    onStanding(standing);
  };
  const screen = new Terminal({
    // For the version of Unicode.
    allowProposedApi: true,
    disableStdin: !writable,
    cursorBlink: false,
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue("--mono"),
    fontSize: LARGEST,
    screenReaderMode: screenReader.value === "on",
    scrollback: small ? 200 : 5_000,
    theme: terminalTheme(),
    linkHandler: { activate: (_, address) => askAndOpen(address), allowNonHttpProtocols: false },
  });
  const search = new SearchAddon();
  screen.loadAddon(search);
  screen.loadAddon(leaveQueries());
  screen.loadAddon(new Unicode11Addon());
  // Emoji occupy two cells, as in tmux.
  screen.unicode.activeVersion = "11";
  screen.loadAddon(new WebLinksAddon((_, address) => askAndOpen(address)));
  screen.open(place);
  if (screen.textarea !== undefined) screen.textarea.setAttribute("aria-label", `Terminal of ${label}`);
  // The only chord not passed to the program; see the page's keys.
  screen.attachCustomKeyEventHandler(({ ctrlKey, key }) => !(ctrlKey && key === "."));

  let socket: "connected" | "cut" = "cut";
  const linkNow = () => (socket === "cut" || connection.value === "cut" ? "cut" : "live");
  const relink = () => {
    const link = linkNow();
    if (standing.link !== "opening" && standing.link !== link) change({ link, missed: false });
  };
  const stream: Stream = openTerminal(streams, {
    session,
    aliveMs: ALIVE_MS,
    attempts: Number.POSITIVE_INFINITY,
    onConnection(now) {
      socket = now;
      relink();
    },
  });
  const refused = (error: unknown) => {
    if (!hasCode(error, "PANE_GONE")) change({ refusal: failureText(error) });
  };
  const typing = screen.onData((text) => {
    // Typed at a screen of the past, it might come to another program.
    if (standing.link === "cut") return change({ missed: true });
    place.scrollTop = revealed;
    void stream.type(text).catch(refused);
  });
  const observer = new ResizeObserver(() => {
    const followed = follows();
    if (standing.size === "mine") fill();
    else fit();
    if (followed) reveal();
  });
  observer.observe(place);
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const recolour = () => {
    screen.options.theme = terminalTheme();
  };
  scheme.addEventListener("change", recolour);
  const unlink = connection.subscribe(relink);
  const unwatch = suspectSilence((since) => stream.reconnectIfSilent(since));
  void follow();

  /** For watching: the largest font size at which the whole width is visible. */
  function fit(): void {
    const cell = cellSize();
    if (cell === null || place.clientWidth === 0) return;
    const perPoint = cell.width / (screen.options.fontSize ?? LARGEST);
    const size = Math.floor((place.clientWidth / (screen.cols * perPoint)) * 4) / 4;
    screen.options.fontSize = Math.max(small ? SMALLEST_OF_MANY : SMALLEST, Math.min(LARGEST, size));
  }

  function cellSize(): { readonly width: number; readonly height: number } | null {
    const drawn = place.querySelector(".xterm-screen");
    if (drawn === null || drawn.clientWidth === 0) return null;
    return { width: drawn.clientWidth / screen.cols, height: drawn.clientHeight / screen.rows };
  }

  /** For deciding the size: as many columns and rows as fit. */
  function fill(takeOver = false): void {
    screen.options.fontSize = LARGEST;
    const cell = cellSize();
    if (cell === null) return;
    const columns = Math.max(20, Math.floor((place.clientWidth - 14) / cell.width));
    const rows = Math.max(5, Math.floor(place.clientHeight / cell.height));
    if (standing.size === "mine" && columns === screen.cols && rows === screen.rows) return;
    stream.resize({ columns, rows }, { takeOver }).then(() => {
      sized("mine");
      change({ refusal: null });
    }, refused);
  }

  async function follow(): Promise<void> {
    try {
      for await (const event of stream) await obey(event);
    } catch (error) {
      change({ ended: failureText(error) });
    }
  }

  /** Sequential, so that a reset keeps its position among the bytes. */
  async function obey(event: TerminalEvent): Promise<void> {
    if (event.kind === "output") return write(event.bytes);
    if (event.kind === "screen") {
      const { columns, rows, paint } = event.screen;
      const followed = follows();
      screen.reset();
      screen.resize(columns, rows);
      await draw(paint);
      if (standing.size !== "mine") fit();
      if (followed) reveal();
      change({ link: linkNow(), missed: false, columns, rows });
      if (event.reason === null) void learnHolder();
      return;
    }
    if (event.kind === "size") {
      const { columns, rows, mine } = event;
      screen.resize(columns, rows);
      if (!mine) fit();
      change({ columns, rows });
      if (mine) sized("mine");
      else void learnHolder();
      return;
    }
    change({ ended: event.reason === "exited" ? "The program has ended; this is its last screen." : "The terminal no longer exists." });
  }

  function sized(size: ScreenStanding["size"]): void {
    sizesLearned += 1;
    change({ size });
  }

  /** Not awaited: output must not wait for it. */
  async function learnHolder(): Promise<void> {
    const asked = ++sizesLearned;
    try {
      const { holder } = await tmpm.stream({ session });
      if (asked === sizesLearned) change({ size: holder === null ? "unheld" : "others" });
    } catch (error) {
      if (!isTmpmError(error)) throw error;
    }
  }

  async function write(bytes: Uint8Array): Promise<void> {
    await draw(bytes);
    if (follows()) reveal();
  }

  function draw(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => screen.write(bytes, resolve));
  }

  /** False after the user has scrolled away. A container that grew may have reduced the position to its new maximum. */
  function follows(): boolean {
    const last = place.scrollHeight - place.clientHeight;
    return Math.abs(place.scrollTop - revealed) < 2 || (place.scrollTop < revealed && place.scrollTop > last - 2);
  }

  /** A screen taller than its container shows the part with the cursor. */
  function reveal(): void {
    const cell = cellSize();
    if (cell === null) return;
    const bottom = (screen.buffer.active.cursorY + 2) * cell.height;
    place.scrollTop = Math.max(0, bottom - place.clientHeight + 16);
    revealed = place.scrollTop;
  }

  return {
    takeSize: () => fill(true),
    release() {
      stream.release().then(() => sized("unheld"), refused);
    },
    find: (text, direction) => (direction === "next" ? search.findNext(text) : search.findPrevious(text)),
    focus: () => screen.focus(),
    close() {
      unlink();
      unwatch();
      scheme.removeEventListener("change", recolour);
      observer.disconnect();
      typing.dispose();
      stream.close();
      screen.dispose();
    },
  };
}
