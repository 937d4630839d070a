import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { eventually, type Fixture } from "./fixture.js";

const run = promisify(execFile);
/** Alternate screen, mouse, cursor, wrapping, as tmux reports them for an unused terminal. */
const AS_BEFORE = "0 0 1 1";

/** A user's terminal, in a separate tmux. */
export async function personTerminal(w: Pick<Fixture, "dir" | "env">) {
  const socket = join(w.dir, "outer.sock");
  const outer = async (...argv: readonly string[]) =>
    (await run("tmux", ["-u", "-f", "/dev/null", "-S", socket, ...argv], { env: { ...w.env, LANG: "C.UTF-8", PS1: "$ " } })).stdout;
  await outer("new-session", "-d", "-s", "outer", "-x", "120", "-y", "30", "sh");
  const at = ["-t", "=outer:"];
  const screen = () => outer("capture-pane", "-p", ...at);
  const query = async (format: string) => (await outer("display-message", "-p", ...at, format)).trim();
  return {
    screen,
    /** Names of keys are pressed, everything else is typed literally. */
    async type(...keys: readonly string[]) {
      for (const key of keys) await outer("send-keys", ...(/^(?:Enter|Escape|C-.)$/.test(key) ? [] : ["-l"]), ...at, "--", key);
    },
    press: ({ row, column }: { row: number; column: number }) => outer("send-keys", "-l", ...at, `\u001b[<0;${column + 1};${row + 1}M`),
    resize: (columns: number, rows: number) => outer("resize-window", ...at, "-x", String(columns), "-y", String(rows)),
    /** The first screen that contains the text. */
    async sees(what: RegExp): Promise<string> {
      let last = "";
      const found = await eventually(async () => {
        last = await screen();
        return what.test(last) ? last : null;
      }).catch(() => null);
      if (found === null) throw new Error(`the terminal does not show ${what}:\n${last}`);
      return found;
    },
    isAsBefore: () =>
      eventually(async () => ((await query("#{alternate_on} #{mouse_any_flag} #{cursor_flag} #{wrap_flag}")) === AS_BEFORE ? true : null)),
    /** The foreground program of the terminal. */
    async foreground(): Promise<number> {
      const { stdout } = await run("ps", ["-o", "pid=,stat=", "-t", await query("#{pane_tty}")]);
      const line = stdout.split("\n").findLast((each) => each.includes("+"));
      return Number.parseInt(line ?? "", 10);
    },
    async [Symbol.asyncDispose]() {
      await outer("kill-server").catch(() => undefined);
    },
  };
}
