import type { SessionId } from "@tmpm/core";
import type { SessionStore } from "../store.js";

/**
 * A fresh place with an open store, for one case. Capabilities that an implementation lacks are omitted, and their cases skipped with that
 * reason.
 */
export interface StoreFixture {
  readonly store: SessionStore;
  /** Another store on the same place, as opened by another process. */
  readonly another?: () => SessionStore;
  /** Adds an entry that a store can only list. */
  readonly plant?: (kind: "damaged" | "unsupported", place: { readonly id: SessionId; readonly project_id: string }) => Promise<void>;
  /** Makes the place unreadable until the returned function is called. */
  readonly obstruct?: () => Promise<() => Promise<void>>;
  /** Closes every store and removes the place. */
  dispose(): Promise<void>;
}

/** The test function of a runner: compatible with vitest, jest and node:test. */
export interface ContractTest {
  (title: string, run: () => Promise<void>): unknown;
  skip(title: string, run: () => Promise<void>): unknown;
}

export interface ContractOptions {
  readonly test: ContractTest;
  /** Called once for each case. */
  readonly open: () => Promise<StoreFixture>;
  /** The optional parts that every fixture of `open` has; cases that need another one are skipped. */
  readonly supports: readonly Capability[];
}

export type Capability = "another" | "plant" | "obstruct";

export interface Case {
  readonly title: string;
  readonly run: (fixture: StoreFixture) => Promise<void>;
}
