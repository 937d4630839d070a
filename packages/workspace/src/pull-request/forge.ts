import type { PullRequestItem, PullRequestWatch } from "@tmpm/core";
import type { ForgeAddress } from "./forge-address.js";

export interface ForgeRequest {
  readonly host: string;
  /** Without a leading slash, such as `repos/OWNER/REPO/pulls/1`. */
  readonly path: string;
  /** Sent as JSON with POST; a GET without it. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Of the answer that is known already. */
  readonly etag?: string | null;
}

/** What the host said, or why it said nothing. Names of headers are in lower case. */
export type ForgeAnswer =
  | { readonly kind: "answered"; readonly status: number; readonly headers: ReadonlyMap<string, string>; readonly body: unknown }
  | { readonly kind: "unavailable"; readonly cause: "not_installed" | "timeout" | "failed"; readonly reason: string };

/** Carries a question to the host. Never throws because of what the host says. */
export type AskForge = (request: ForgeRequest) => Promise<ForgeAnswer>;

/** The host of a repository, where pull requests are. */
export interface Forge {
  /** Opens a pull request, unless there is an open one of that branch. @throws FORGE_FAILED */
  open(wanted: NewPullRequest): Promise<OpenedPullRequest>;
  /** Asks for everything about a pull request, each page only if it has changed. What is refused halfway counts as not asked. Never throws because of what the host says. */
  read(watch: PullRequestWatch, nowMs: number): Promise<PullRequestLook>;
}

export interface OpenedPullRequest {
  readonly number: number;
  readonly url: string;
  /** Whether it was there before. */
  readonly existed: boolean;
}

export interface NewPullRequest {
  readonly at: ForgeAddress;
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
}

/** Nothing of the look counts; `waitMs` when the host says how long it wants to be left alone. */
export interface Refused {
  readonly kind: "refused";
  readonly reason: string;
  readonly waitMs: number | null;
}

/** What a look found: the watch as it is from then on, and what was not reported before. */
export type PullRequestLook =
  | { readonly kind: "seen"; readonly watch: PullRequestWatch; readonly news: readonly PullRequestItem[] }
  | Refused;
