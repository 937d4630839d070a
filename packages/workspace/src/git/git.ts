import { startGit } from "./start-git.js";

/** The result of git, or why there is none: it is not installed, was ended by a signal, or timed out. */
export type GitResult =
  | { readonly kind: "exited"; readonly exitCode: number; readonly stdout: string; readonly stderr: string }
  | {
      readonly kind: "unavailable";
      readonly cause: "not_installed" | "timeout" | "failed";
      readonly reason: string;
      /** Lock files that git may have left. */
      readonly locks?: readonly string[];
    };

export interface GitOptions {
  /** The repository's directory, absolute. */
  readonly directory?: string;
  /** Default: the environment of this process. Every `GIT_*` variable in it is dropped. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default 30 s; then git and all processes that it started are ended, and killed if they do not. */
  readonly timeoutMs?: number;
  /** Settings that override every file, by key. */
  readonly config?: Readonly<Record<string, string>>;
  /**
   * The allowed transports, as in `GIT_ALLOW_PROTOCOL`. Default: none, so that no missing object is fetched by a program configured in the
   * repository. Without effect with the user's hooks.
   */
  readonly protocols?: string;
  readonly input?: string;
  /** Default `utf8`. With `latin1` each character of input and output is one byte, for names that are not UTF-8. */
  readonly encoding?: "utf8" | "latin1";
  /** An index other than the repository's, and a separate object folder. */
  readonly scratch?: Scratch;
  /**
   * Runs the user's hooks, for actions in the user's name. Otherwise none is run. Their environment is that of the caller, without prompts:
   * none of our guards applies, since git would pass them on to hooks and filters, and a repository that may run hooks may run anything.
   */
  readonly hooks?: "users";
  /** The author of a recreated commit; the user without it. */
  readonly author?: Author;
  /** Maximum size of the output; 16 MiB without it. */
  readonly mostBytes?: number;
  /** Called with chunks of standard error. */
  readonly onStderr?: (text: string) => void;
}

export interface Author {
  readonly name: string;
  readonly email: string;
  /** In git's format, such as `1700000000 +0100`. */
  readonly date: string;
}

/** Absolute paths of files outside the repository. */
export interface Scratch {
  readonly index: string;
  /** Null to write objects into the repository's own store. */
  readonly objects: { readonly folder: string; readonly repositorys: string } | null;
}

const TIMEOUT_MS = 30_000;
const MOST_BYTES = 16 * 1024 * 1024;

/** Settings that keep a repository from running its code (reliability C17). */
const GUARDS = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "log.showSignature=false",
  "protocol.ext.allow=never",
  "protocol.file.allow=user",
  "submodule.recurse=false",
].flatMap((setting) => ["-c", setting]);

/** Commands that show differences, possibly by a program configured in the repository unless disabled. */
const DIFFING = ["diff", "diff-index", "diff-tree", "log", "show"];

/**
 * Runs git without a shell, prompts and programs configured in the repository; never throws because of git.
 * Filters of a repository still run where git converts files (`status`, `checkout`, `add`).
 */
export async function git(args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
  const { directory, timeoutMs = TIMEOUT_MS } = options;
  const where = directory === undefined ? [] : ["-C", directory];
  const { encoding = "utf8", input, onStderr, mostBytes = MOST_BYTES } = options;
  const all = [...where, ...(options.hooks === "users" ? [] : GUARDS), ...withoutDiffPrograms(args)];
  const bytes = input === undefined ? undefined : Buffer.from(input, encoding);
  const running = startGit(all, { env: environment(options), input: bytes, mostBytes, onStderr });
  const deadline = startDeadline(timeoutMs);
  const end = await Promise.race([running.ended, deadline.passed]);
  deadline.cancel();
  if (end === "timeout") {
    const locks = await running.stop();
    return { kind: "unavailable", cause: "timeout", reason: `git did not answer within ${timeoutMs} ms`, locks };
  }
  if (end.kind === "exited") {
    return { kind: "exited", exitCode: end.exitCode, stdout: end.stdout.toString(encoding), stderr: end.stderr.toString(encoding) };
  }
  if (end.kind === "not_started" && end.missing) return { kind: "unavailable", cause: "not_installed", reason: "git is not installed" };
  running.kill();
  return { kind: "unavailable", cause: "failed", reason: end.reason };
}

function withoutDiffPrograms(args: readonly string[]): readonly string[] {
  const [command = "", ...rest] = args;
  return DIFFING.includes(command) ? [command, "--no-ext-diff", "--no-textconv", ...rest] : args;
}

function environment(options: GitOptions): Record<string, string | undefined> {
  const { env = process.env, config = {}, scratch, author } = options;
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("GIT_"));
  return {
    ...Object.fromEntries(kept),
    ...WITHOUT_PROMPTS,
    ...(options.hooks === "users" ? {} : guarded(options)),
    ...configEnvironment(config),
    ...(scratch === undefined ? {} : scratchEnvironment(scratch)),
    ...(author === undefined ? {} : { GIT_AUTHOR_NAME: author.name, GIT_AUTHOR_EMAIL: author.email, GIT_AUTHOR_DATE: author.date }),
  };
}

/** No user can answer a prompt: git has no terminal, and ssh could only open a window. */
const WITHOUT_PROMPTS = { GIT_TERMINAL_PROMPT: "0", GIT_ASKPASS: "false", SSH_ASKPASS_REQUIRE: "never" };

function guarded({ protocols = "none" }: GitOptions): Record<string, string | undefined> {
  return {
    GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_ALLOW_PROTOCOL: protocols,
    GIT_NO_LAZY_FETCH: protocols === "none" ? "1" : undefined,
    LC_ALL: "C",
  };
}

function configEnvironment(config: Readonly<Record<string, string>>): Record<string, string> {
  const settings = Object.entries(config);
  if (settings.length === 0) return {};
  const named = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(named) };
}

function scratchEnvironment({ index, objects }: Scratch): Record<string, string> {
  if (objects === null) return { GIT_INDEX_FILE: index };
  const { folder, repositorys } = objects;
  // Quoted, since a colon would end a plain path.
  const alternate = `"${repositorys.replace(/["\\]/g, "\\$&")}"`;
  return { GIT_INDEX_FILE: index, GIT_OBJECT_DIRECTORY: folder, GIT_ALTERNATE_OBJECT_DIRECTORIES: alternate };
}

function startDeadline(ms: number): { readonly passed: Promise<"timeout">; cancel(): void } {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<"timeout">((resolve) => {
    timer = setTimeout(() => resolve("timeout"), ms);
  });
  return { passed, cancel: () => clearTimeout(timer) };
}
