import { TmpmError, visibleText } from "@tmpm/core";
import { type GitOptions, type GitResult, git } from "./git.js";
import { lockHint, lockIn } from "./lock-hint.js";

export interface Expectation extends GitOptions {
  /** Accepted exit codes; only 0 by default. */
  readonly accept?: readonly number[];
  /** The effect of a failure: `unknown` for writing commands. Default `none`. */
  readonly effect?: "none" | "unknown";
}

/** Git's output. @throws GIT_FAILED when it failed, was ended or timed out; PREREQUISITE_MISSING without git */
export async function requireGit(args: readonly string[], options: Expectation): Promise<string> {
  return (await answerOf(args, options)).stdout;
}

/** Whether git's answer is yes (0) or no (1 by default). @throws like `requireGit` */
export async function askGit(
  args: readonly string[],
  { no = [1], ...options }: Omit<Expectation, "accept"> & { readonly no?: readonly number[] },
): Promise<boolean> {
  return (await answerOf(args, { ...options, accept: [0, ...no] })).exitCode === 0;
}

async function answerOf(args: readonly string[], options: Expectation): Promise<Extract<GitResult, { kind: "exited" }>> {
  const { accept = [0], effect = "none", ...rest } = options;
  const result = await git(args, rest);
  const doing = `git ${args.find((arg) => !arg.startsWith("-")) ?? ""}`;
  if (result.kind === "unavailable") {
    if (result.cause === "not_installed")
      throw new TmpmError("PREREQUISITE_MISSING", "git is not installed", { details: { program: "git" } });
    const lock = lockIn(result);
    throw new TmpmError("GIT_FAILED", `${doing}: ${result.reason}`, { effect, details: { cause: result.cause }, ...lockHint(lock) });
  }
  if (accept.includes(result.exitCode)) return result;
  const said = result.stderr
    .trim()
    .split("\n")
    .slice(-3)
    .map((line) => visibleText(line))
    .join("; ");
  throw new TmpmError("GIT_FAILED", `${doing} ended with status ${result.exitCode}${said === "" ? "" : `: ${said}`}`, {
    effect,
    ...lockHint(lockIn(result)),
    details: { status: result.exitCode, stderr: visibleText(result.stderr.slice(-4000)) },
  });
}
