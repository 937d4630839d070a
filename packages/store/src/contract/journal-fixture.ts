import type { EventJournal, JournalLimits } from "../events/journal.js";
import type { ContractTest } from "./store-fixture.js";

/** An action on a closed journal before it is reopened. */
export type OutsideChange =
  /** The event with this number becomes unreadable. */
  | { readonly damage: number }
  /** Another program appends this numbered event. */
  | { readonly add: Readonly<Record<string, unknown>> };

/** A fresh place with an open journal, for one case. */
export interface JournalFixture {
  readonly journal: EventJournal;
  /** Closes the journal, runs the action, and opens another one on the same place. Undefined where nothing outlives a journal. */
  readonly reopen?: (tampering?: OutsideChange) => Promise<EventJournal>;
  /** Closes every journal and removes the place. */
  dispose(): Promise<void>;
}

export interface JournalContractOptions {
  readonly test: ContractTest;
  /** Called once for each case, with the bounds that the case needs. */
  readonly open: (limits: JournalLimits) => Promise<JournalFixture>;
  /** The optional parts that every fixture of `open` has; cases that need another one are skipped. */
  readonly supports: readonly JournalCapability[];
}

export type JournalCapability = "reopen";

export interface JournalCase {
  readonly title: string;
  readonly limits?: JournalLimits;
  readonly run: (fixture: JournalFixture) => Promise<void>;
}
