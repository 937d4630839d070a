/** The actions of keys in the list. */
export type Command =
  | "up"
  | "down"
  | "page_up"
  | "page_down"
  | "first"
  | "last"
  | "attach"
  | "send"
  | "approve"
  | "deny"
  | "stop"
  | "resume"
  | "changes"
  | "filter"
  | "search"
  | "view"
  | "tree"
  | "by_node"
  | "screen_up"
  | "screen_down"
  | "clear"
  | "help"
  | "redraw"
  | "suspend"
  | "quit";

export interface KeyRow {
  readonly command: Command;
  /** Key names of the library; a letter is itself. */
  readonly keys: readonly string[];
  readonly label: string;
  readonly help: string;
  /** Its label in the bottom line; null if it is only on the help page. */
  readonly short: string | null;
}

const row = (command: Command, keys: readonly string[], texts: Pick<KeyRow, "label" | "help" | "short">): KeyRow => ({
  command,
  keys,
  ...texts,
});

/** The table of keys, for both actions and help, in that order. */
export const KEYS: readonly KeyRow[] = [
  row("attach", ["enter"], { label: "Enter", help: "attach: the session uses the whole terminal until you detach", short: "attach" }),
  row("send", ["s"], { label: "s", help: "send text to it; Ctrl-J or Alt-Enter begins a new line, Enter sends", short: "send" }),
  row("approve", ["a"], { label: "a", help: "approve the displayed request once", short: "approve" }),
  row("deny", ["d"], { label: "d", help: "deny the displayed request", short: "deny" }),
  row("stop", ["x"], { label: "x", help: "stop it, after confirmation; it can be resumed", short: "stop" }),
  row("resume", ["r"], { label: "r", help: "resume it when it is stopped, failed or paused", short: "resume" }),
  row("changes", ["c"], { label: "c", help: "show its changes: the files, and with Enter their hunks", short: "changes" }),
  row("filter", ["/"], { label: "/", help: "filter: words, state:idle, project:web, agent:claude, node:build1", short: "filter" }),
  row("search", ["f"], { label: "f", help: "search the screens of all listed sessions", short: "find" }),
  row("view", ["tab"], { label: "Tab", help: "all sessions, those that need you, working, idle, ended", short: "view" }),
  row("tree", ["t"], { label: "t", help: "toggle the tree view", short: null }),
  row("by_node", ["n"], { label: "n", help: "group the sessions by node", short: null }),
  row("help", ["?"], { label: "?", help: "this page", short: "help" }),
  row("quit", ["q", "ctrl+c"], { label: "q", help: "quit, as Ctrl-C does; sessions keep running", short: "quit" }),
  row("up", ["up", "k"], { label: "Up k", help: "the session above", short: null }),
  row("down", ["down", "j"], { label: "Down j", help: "the session below", short: null }),
  row("page_up", ["pageUp", "ctrl+b"], { label: "PgUp", help: "a page up", short: null }),
  row("page_down", ["pageDown", "ctrl+f"], { label: "PgDn", help: "a page down", short: null }),
  row("first", ["home", "g"], { label: "Home g", help: "the first session, which needs you most", short: null }),
  row("last", ["end", "G"], { label: "End G", help: "the last session", short: null }),
  row("screen_up", ["K", "["], { label: "K [", help: "scroll the shown screen up", short: null }),
  row("screen_down", ["J", "]"], { label: "J ]", help: "scroll the shown screen down", short: null }),
  row("clear", ["escape"], { label: "Esc", help: "clear the filter or search", short: null }),
  row("redraw", ["ctrl+l"], { label: "Ctrl-L", help: "redraw the screen", short: null }),
  row("suspend", ["ctrl+z"], { label: "Ctrl-Z", help: "suspend; `fg` resumes it", short: null }),
];

const BY_KEY: ReadonlyMap<string, Command> = new Map(KEYS.flatMap(({ command, keys }) => keys.map((key) => [key, command] as const)));

/** The action of a key in the list; null for none. */
export function commandOf(key: string): Command | null {
  return BY_KEY.get(key) ?? null;
}
