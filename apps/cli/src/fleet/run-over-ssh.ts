import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { TmpmError } from "@tmpm/core";
import { SSH_OPTIONS } from "@tmpm/fleet";

export interface OverSsh {
  readonly host: string;
  /** A constant script for `sh`, without single quotes. */
  readonly script: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input?: Readable;
}

/** The standard output of a script on the other machine, run by `sh` whatever the login shell is. @throws NODE_OFFLINE, PREREQUISITE_MISSING */
export async function runOverSsh({ host, script, env, input }: OverSsh): Promise<string> {
  const child = spawn("ssh", [...SSH_OPTIONS, "--", host, `sh -c '${script}'`], { env: { ...env }, stdio: ["pipe", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  // The reason is in the other output.
  child.stdin.on("error", () => undefined);
  if (input === undefined) child.stdin.end();
  else input.pipe(child.stdin);
  const { code, signal } = await new Promise<{ code: number | null; signal: string | null }>((settle, reject) => {
    child.on("error", (error) => reject(new TmpmError("NODE_OFFLINE", `ssh could not be started: ${error.message}`, { cause: error })));
    child.on("close", (code, signal) => settle({ code, signal }));
    // Its writer ends too if the other machine did not read all of it.
  }).finally(() => input?.destroy());
  if (code === 0) return stdout;
  const effect = input === undefined ? "none" : "unknown";
  const said = stderr.trim().split("\n").at(-1) ?? "";
  if (code !== 255)
    throw new TmpmError("PREREQUISITE_MISSING", `tmpm could not be installed on ${host}: ${said || (signal ?? `status ${code}`)}`, {
      effect,
    });
  const { sshEnd } = await import("../fleet-library.js");
  const { reason, hint } = sshEnd({ code, signal, stderr, host, command: "sh" });
  throw new TmpmError("NODE_OFFLINE", reason, { effect, ...(hint === undefined ? {} : { hint }) });
}
