import type { DocumentStore } from "@tmpm/store";
import type { KeptNode, KeptSessions } from "./node-record.js";
import type { KeptPrompt } from "./waiting-prompts.js";

export interface NodeStores {
  /** By label. */
  readonly nodes: DocumentStore<KeptNode>;
  /** By the machine's id and its label. */
  readonly sessions: DocumentStore<KeptSessions>;
  readonly prompts: DocumentStore<KeptPrompt>;
}
