interface Keyed {
  readonly id: string;
  /** Null, or not given: this machine. */
  readonly node?: unknown;
}

/** What distinguishes a session from all others: two labels may stand for one machine, so the id alone does not. */
export function keyOf({ node, id }: Keyed): string {
  return typeof node === "string" ? `${node}:${id}` : id;
}
