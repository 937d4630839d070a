/** What a node is called here: lower-case letters, digits and `-`, at most 32; a colon ends it in an address. */
export const LABEL_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;

/** Words that mean something else where a label stands. */
export const NOT_LABELS: ReadonlySet<string> = new Set(["any", "all", "local"]);

/** As `ssh` takes it; nothing that it would take for an option. */
export const SSH_HOST_PATTERN = /^[^\s-][^\s]{0,254}$/;
