/**
 * The subjects of a node's links. The node publishes below `tmpm.NODE.out`, and listens below `tmpm.NODE.in`; the caller's name is part of
 * both, so that the server's permissions control the use of each name.
 */
export interface LinkName {
  readonly node: string;
  readonly client: string;
  /** For one link, chosen by the caller. */
  readonly link: string;
}

export function toNode({ node, client, link }: LinkName, instance: string | null = null): string {
  return `tmpm.${node}.in.${client}.${link}${instance === null ? "" : `.${instance}`}`;
}

export function toClient({ node, client, link }: LinkName): string {
  return `tmpm.${node}.out.${client}.${link}`;
}

export function allToNode(node: string): string {
  return `tmpm.${node}.in.>`;
}

/** The permissions of a node, and of the clients of nodes, in a server's configuration. */
export const permissions = {
  node: (name: string) => ({ publish: `tmpm.${name}.out.>`, subscribe: allToNode(name) }),
  client: (name: string) => ({ publish: `tmpm.*.in.${name}.>`, subscribe: `tmpm.*.out.${name}.>` }),
};

const TO_NODE = /^tmpm\.([0-9a-z-]+)\.in\.([0-9a-z-]+)\.([0-9a-z]{1,32})(?:\.([0-9a-z]{1,32}))?$/;

/** Null for a subject that does not belong to a link. */
export function readToNode(subject: string): (LinkName & { readonly instance: string | null }) | null {
  const [, node, client, link, instance = null] = TO_NODE.exec(subject) ?? [];
  return node === undefined || client === undefined || link === undefined ? null : { node, client, link, instance };
}
