interface Keyed {
  readonly id: string;
  /** Null, or omitted: this machine. */
  readonly node?: unknown;
}

/** A session's unique key: two labels may refer to one machine, so the id is not sufficient. */
export function keyOf({ node, id }: Keyed): string {
  return typeof node === "string" ? `${node}:${id}` : id;
}
