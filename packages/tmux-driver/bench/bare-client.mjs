import { spawn } from "node:child_process";

/**
 * The minimum cost of a control-mode client: it writes commands and counts their results, without deadlines, proofs or parsing. The lower
 * bound for a driver on this machine.
 */
export async function bareClient({ socket, env }, { session, flags = "no-output,ignore-size" }) {
  const argv = ["-u", "-S", socket, "-C", "attach-session", "-f", flags, "-t", session];
  const child = spawn("tmux", argv, { env, stdio: ["pipe", "pipe", "ignore"] });
  let rest = "";
  let left = 0;
  let answered = () => undefined;
  let printed = () => undefined;
  child.stdout.on("data", (chunk) => {
    const text = rest + chunk.toString("latin1");
    const whole = text.lastIndexOf("\n") + 1;
    rest = text.slice(whole);
    const lines = text.slice(0, whole);
    if (/^%output /m.test(lines)) printed();
    left -= lines.match(/^%(?:end|error) \d+ \d+ 1$/gm)?.length ?? 0;
    if (left <= 0) answered();
  });
  const ask = (lines) =>
    new Promise((resolve) => {
      left = lines.length;
      answered = resolve;
      child.stdin.write(`${lines.join("\n")}\n`);
    });
  await ask(["display-message -p x"]);
  return {
    /** Runs the command lines, each one command, in one write. */
    ask,
    /** Runs a command line until a pane of the session prints. */
    untilPrinted: (line) =>
      new Promise((resolve) => {
        printed = resolve;
        child.stdin.write(`${line}\n`);
      }),
    close: () =>
      new Promise((resolve) => {
        child.once("close", resolve);
        child.stdin.end();
      }),
  };
}
