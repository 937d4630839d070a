import type { PullRequestItem, PullRequestWatch } from "@tmpm/core";
import type { ForgeAddress } from "./forge-address.js";

export interface ForgeRequest {
  readonly host: string;
  /** Without a leading slash, such as `repos/OWNER/REPO/pulls/1`. */
  readonly path: string;
  /** Sent as JSON with POST; a GET without it. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Entity tag of the known response. */
  readonly etag?: string | null;
}

/** The host's response, or why there is none. Header names are in lower case. */
export type ForgeAnswer =
  | { readonly kind: "answered"; readonly status: number; readonly headers: ReadonlyMap<string, string>; readonly body: unknown }
  | { readonly kind: "unavailable"; readonly cause: "not_installed" | "timeout" | "failed"; readonly reason: string };

/** Sends a request to the host. Never throws because of its response. */
export type AskForge = (request: ForgeRequest) => Promise<ForgeAnswer>;

/** The host of a repository's pull requests. */
export interface Forge {
  /** Opens a pull request, unless the branch has an open one. @throws FORGE_FAILED */
  open(wanted: NewPullRequest): Promise<OpenedPullRequest>;
  /**
   * Queries everything about a pull request, each page only if it has changed. A failure halfway discards the whole query. Never throws
   * because of the host's response.
   */
  read(watch: PullRequestWatch, nowMs: number): Promise<PullRequestLook>;
}

export interface OpenedPullRequest {
  readonly number: number;
  readonly url: string;
  /** Whether it was already open. */
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

/** The query failed; `waitMs` is the delay requested by the host, if any. */
export interface FailedQuery {
  readonly kind: "refused";
  readonly reason: string;
  readonly waitMs: number | null;
}

/** The result of a query: the updated watch, and the items not reported before. */
export type PullRequestLook =
  | { readonly kind: "seen"; readonly watch: PullRequestWatch; readonly news: readonly PullRequestItem[] }
  | FailedQuery;
