import { type ProgramEnd, runProgram } from "../files/run-program.js";
import type { AskForge, Forge, ForgeAnswer, ForgeRequest } from "./forge.js";
import { forge } from "./open-pull-request.js";

export interface GhOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
}

/** Sends requests with the user's own `gh` and its login. */
export function ghForge(options: GhOptions): Forge {
  return forge(askGh(options));
}

/** Texts are passed on standard input. */
export function askGh(options: GhOptions): AskForge {
  return (request) => ask(request, options);
}

async function ask({ host, path, body, etag = null }: ForgeRequest, { env, timeoutMs }: GhOptions): Promise<ForgeAnswer> {
  const args = [
    "api",
    "--include",
    ...["--hostname", host],
    ...["--method", body === undefined ? "GET" : "POST"],
    ...["--header", "Accept: application/vnd.github+json"],
    ...(etag === null ? [] : ["--header", `If-None-Match: ${etag}`]),
    ...(body === undefined ? [] : ["--input", "-"]),
    path,
  ];
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("GIT_"));
  const end = await runProgram({
    argv: ["gh", ...args],
    env: { ...Object.fromEntries(kept), GH_PROMPT_DISABLED: "1", GH_NO_UPDATE_NOTIFIER: "1", NO_COLOR: "1", GH_PAGER: "cat" },
    timeoutMs,
    input: body === undefined ? undefined : JSON.stringify(body),
  });
  if (end.kind === "late") return { kind: "unavailable", cause: "timeout", reason: `gh did not answer within ${timeoutMs} ms` };
  if (end.kind === "refused") return notStarted(end);
  return parseAnswer(end.stdout) ?? { kind: "unavailable", cause: "failed", reason: lastWords(end.stderr) };
}

function notStarted({ code, reason }: Extract<ProgramEnd, { kind: "refused" }>): ForgeAnswer {
  if (code === "ENOENT") return { kind: "unavailable", cause: "not_installed", reason: "gh, GitHub's command line, is not installed" };
  // Also for a folder of the search path that may not be read.
  if (code === "EACCES") return { kind: "unavailable", cause: "not_installed", reason: `no executable gh was found: ${reason}` };
  return { kind: "unavailable", cause: "failed", reason: `gh could not be started: ${reason}` };
}

function lastWords(stderr: string): string {
  const said = stderr.trim().split("\n").slice(-2).join(" ").slice(0, 500);
  return said === "" ? "gh ended without an answer" : said;
}

/** A status line, headers, an empty line and the body, as printed by `gh api --include`, also on failure. */
export function parseAnswer(output: string): Extract<ForgeAnswer, { kind: "answered" }> | null {
  const end = /\r?\n\r?\n/.exec(output);
  const head = output.slice(0, end?.index ?? output.length).split(/\r?\n/);
  const status = /^HTTP\/[\d.]+ (\d{3})/.exec(head[0] ?? "")?.[1];
  if (status === undefined) return null;
  const headers = head.slice(1).flatMap((line) => {
    const at = line.indexOf(":");
    return at < 1 ? [] : [[line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const];
  });
  const text = end === null ? "" : output.slice(end.index + end[0].length);
  return { kind: "answered", status: Number(status), headers: new Map(headers), body: parsed(text) };
}

/** Null for text that is not JSON: some responses have no body. */
function parsed(text: string): unknown {
  try {
    return text.trim() === "" ? null : JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
