/** The local name of a node: lower-case letters, digits and `-`, at most 32; a colon ends it in an address. */
export const LABEL_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;

/** Words with another meaning in the place of a label. */
export const NOT_LABELS: ReadonlySet<string> = new Set(["any", "all", "local"]);

/** In the syntax of `ssh`; nothing that it would parse as an option. */
export const SSH_HOST_PATTERN = /^[^\s-][^\s]{0,254}$/;
