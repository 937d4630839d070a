import { join } from "node:path";
import { nodesFolder } from "@tmpm/api/local";
import { type DocumentStore, documentFolder } from "@tmpm/store";
import { decoder } from "../records/decoder.js";
import { KeptNode, KeptSessions } from "./node-record.js";

export interface NodeStores {
  readonly nodes: DocumentStore<KeptNode>;
  readonly sessions: DocumentStore<KeptSessions>;
}

export function nodeStores(home: string): NodeStores {
  return {
    nodes: documentFolder({ dir: nodesFolder({ home }), decode: decoder(KeptNode) }),
    sessions: documentFolder({ dir: join(home, "node-sessions"), decode: decoder(KeptSessions) }),
  };
}
