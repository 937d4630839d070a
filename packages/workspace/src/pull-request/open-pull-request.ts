import { TmpmError } from "@tmpm/core";
import * as z from "zod";
import type { AskForge, Forge, ForgeAnswer, NewPullRequest, OpenedPullRequest } from "./forge.js";
import { readPullRequest } from "./read-pull-request.js";

const Found = z.object({ number: z.number().int().positive(), html_url: z.string() });

/** A host's operations, over any transport. */
export function forge(ask: AskForge): Forge {
  return { open: (wanted) => openPullRequest(ask, wanted), read: (watch, nowMs) => readPullRequest(watch, { ask, nowMs }) };
}

/** An open one receives the push by itself. */
async function openPullRequest(ask: AskForge, wanted: NewPullRequest): Promise<OpenedPullRequest> {
  const { at, branch, base, title, body, draft } = wanted;
  const pulls = `repos/${at.owner}/${at.repository}/pulls`;
  const query = new URLSearchParams({ state: "open", head: `${at.owner}:${branch}`, base });
  const [found] = parsed(z.array(Found), bodyOf(await ask({ host: at.host, path: `${pulls}?${query}` }), "queried"));
  if (found !== undefined) return { number: found.number, url: found.html_url, existed: true };
  const made = await ask({ host: at.host, path: pulls, body: { title, head: branch, base, body, draft } });
  const { number, html_url } = parsed(Found, bodyOf(made, "opened"));
  return { number, url: html_url, existed: false };
}

function parsed<T>(schema: z.ZodType<T>, body: unknown): T {
  const { data, success } = schema.safeParse(body);
  if (success) return data;
  throw new TmpmError("FORGE_FAILED", "the host's answer about the pull request could not be read", {
    effect: "unknown",
    hint: "The branch is pushed. Check on the host whether the pull request exists.",
  });
}

function bodyOf(answer: ForgeAnswer, done: "queried" | "opened"): unknown {
  if (answer.kind === "answered" && answer.status >= 200 && answer.status < 300) return answer.body;
  const why = answer.kind === "unavailable" ? answer.reason : `the host answered ${answer.status}${said(answer.body)}`;
  throw new TmpmError("FORGE_FAILED", `the pull request could not be ${done}: ${why}`, {
    effect: done === "opened" && answer.kind === "unavailable" ? "unknown" : "none",
    hint: "The branch is pushed. `gh auth status` shows the login; repeating the command does not open a second one.",
    details: answer.kind === "answered" ? { status: answer.status } : { cause: answer.cause },
  });
}

const Said = z.object({ message: z.string(), errors: z.array(z.object({ message: z.string().optional() })).optional() });

function said(body: unknown): string {
  const { data } = Said.safeParse(body);
  if (data === undefined) return "";
  const parts = [data.message, ...(data.errors ?? []).flatMap(({ message }) => message ?? [])];
  return `: ${parts.join("; ").slice(0, 500)}`;
}
