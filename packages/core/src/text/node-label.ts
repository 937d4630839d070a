import { TmpmError } from "../errors.js";
import { didYouMean } from "./did-you-mean.js";

/** A colon ends a label in an address, and a label is the name of a file. */
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?";

/** The local name of a node. */
export const NODE_LABEL_PATTERN = new RegExp(`^${LABEL}$`);

/** Without the words that have another meaning in the place of a label. */
export const NEW_NODE_LABEL_PATTERN = new RegExp(`^(?!(?:any|all|local)$)${LABEL}$`);
export const NEW_NODE_LABEL_RULE = "use lower-case letters, digits and -, at most 32; any, all and local are reserved";

/** What a node offers, such as `gpu`. */
export const CAPABILITY_PATTERN = /^[a-z0-9](?:[a-z0-9._-]{0,30}[a-z0-9])?$/;
/** For one node. */
export const MOST_CAPABILITIES = 20;
export const CAPABILITY_RULE = "use lower-case letters, digits, ., _ and -, at most 32";

/** In the syntax of `ssh`; nothing that it would parse as an option. */
export const SSH_HOST_PATTERN = /^[^\s-]\S{0,254}$/;
export const SSH_HOST_RULE = "not a valid host for ssh";

/** NODE_NOT_FOUND, with the nearest of the known labels, if they are given. */
export function unknownNode(label: string, known: readonly string[] | null = null): TmpmError {
  const near = didYouMean(label, known ?? []);
  return new TmpmError("NODE_NOT_FOUND", `unknown node ${label}`, {
    hint: near === null ? "`tmpm nodes` lists them; `tmpm nodes add` adds one." : `Did you mean ${near}? \`tmpm nodes\` lists them.`,
    details: { node: label, ...(known === null ? {} : { nodes: [...known] }) },
  });
}

export function nodeExists(label: string): TmpmError {
  return new TmpmError("NAME_TAKEN", `a node named ${label} already exists`, {
    hint: `Choose another label, or \`tmpm nodes rm ${label}\` first.`,
  });
}
