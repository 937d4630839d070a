import type { Client } from "@tmpm/api/client";
import {
  CAPABILITY_PATTERN,
  CAPABILITY_RULE,
  hasCode,
  MOST_CAPABILITIES,
  NEW_NODE_LABEL_PATTERN,
  NEW_NODE_LABEL_RULE,
  nodeExists,
  SSH_HOST_PATTERN,
  SSH_HOST_RULE,
  TmpmError,
} from "@tmpm/core";
import { namedOption } from "./named-option.js";

export interface NewNode {
  readonly label: string;
  readonly host: string;
  readonly labels: readonly string[];
}

interface Rule {
  readonly field: string;
  readonly text: string;
  readonly pattern: RegExp;
  readonly message: string;
}

/** The daemon's checks of a new node, before anything is changed on the other machine. @throws INVALID_ARGUMENT, NAME_TAKEN */
export async function requireAddable(client: Pick<Client, "node">, { label, host, labels }: NewNode): Promise<void> {
  const rules: readonly Rule[] = [
    { field: "label", text: label, pattern: NEW_NODE_LABEL_PATTERN, message: NEW_NODE_LABEL_RULE },
    { field: "ssh.host", text: host, pattern: SSH_HOST_PATTERN, message: SSH_HOST_RULE },
    ...labels.map((text, index) => ({ field: `labels.${index}`, text, pattern: CAPABILITY_PATTERN, message: CAPABILITY_RULE })),
  ];
  const malformed = rules.flatMap(({ text, pattern, field, message }) => (pattern.test(text) ? [] : [{ field, message }]));
  const tooMany = labels.length <= MOST_CAPABILITIES ? [] : [{ field: "labels", message: `at most ${MOST_CAPABILITIES}` }];
  const issues = [...malformed, ...tooMany];
  if (issues.length > 0) throw namedOption(new TmpmError("INVALID_ARGUMENT", "invalid node", { details: { issues } }), labels);
  if (await exists(client, label)) throw nodeExists(label);
}

async function exists(client: Pick<Client, "node">, node: string): Promise<boolean> {
  try {
    await client.node({ node });
    return true;
  } catch (error) {
    if (hasCode(error, "NODE_NOT_FOUND")) return false;
    throw error;
  }
}
