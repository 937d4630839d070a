import type { SessionId } from "@tmpm/core";
import type { SessionStore } from "../store.js";

/** A fresh place with an open store, for one case. What an implementation cannot do is left out, and its cases are skipped with that reason. */
export interface StoreFixture {
  readonly store: SessionStore;
  /** Another store over the same place, as another process would open it. */
  readonly another?: () => SessionStore;
  /** Puts an entry into the place that a store can only list. */
  readonly plant?: (kind: "damaged" | "unsupported", place: { readonly id: SessionId; readonly project_id: string }) => Promise<void>;
  /** Makes the place unreadable until the returned function is called. */
  readonly obstruct?: () => Promise<() => Promise<void>>;
  /** Closes every store and removes the place. */
  dispose(): Promise<void>;
}

/** The test function of a runner: vitest's, jest's and node:test's fit. */
export interface ContractTest {
  (title: string, run: () => Promise<void>): unknown;
  skip(title: string, run: () => Promise<void>): unknown;
}

export interface ContractOptions {
  readonly test: ContractTest;
  /** Called once for each case. */
  readonly open: () => Promise<StoreFixture>;
  /** Which optional parts every fixture of `open` has; cases that need another one are skipped. */
  readonly supports: readonly Capability[];
}

export type Capability = "another" | "plant" | "obstruct";

export interface Case {
  readonly title: string;
  readonly run: (fixture: StoreFixture) => Promise<void>;
}
