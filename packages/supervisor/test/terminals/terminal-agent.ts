import { appendFileSync } from "node:fs";
import { composerProgram } from "../fixtures/composer-program.js";
import { turnProgram } from "../fixtures/turn-program.js";

/**
 * Runs one of the fake agents in its terminal: `node ENTRY LOG composer HABITS` or `node ENTRY LOG turner`. The log has all of its input.
 */
const [log = "", kind = "", habits = "{}"] = process.argv.slice(2);
const program = kind === "turner" ? turnProgram(() => undefined) : composerProgram(JSON.parse(habits));

process.stdin.setRawMode(true);
process.stdin.setEncoding("utf8");
const running = program({
  argv: [kind],
  cwd: process.cwd(),
  env: {},
  columns: process.stdout.columns,
  rows: process.stdout.rows,
  write: (text) => void process.stdout.write(text.replaceAll("\n", "\r\n")),
  setTitle: () => undefined,
  bracketedPaste: () => undefined,
  lineMode: () => undefined,
  foreground: () => undefined,
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
  exit: (end) => process.exit("status" in end ? end.status : 1),
});
process.stdin.on("data", (read: string) => {
  for (const text of read.split(/([\r\u001b\u0003])/).filter((part) => part !== "")) {
    appendFileSync(log, `${JSON.stringify(text)}\n`);
    running?.input?.(text);
  }
});
