/** A holder's report on its terminal, in answers and with every change. */
export interface HeldInfo {
  readonly tmuxName: string;
  readonly pid: number;
  readonly tty: string;
  readonly columns: number;
  readonly rows: number;
  readonly viewers: number;
  /** Time of the last output, in milliseconds since 1970. */
  readonly activeMs: number;
  readonly exit: { readonly status: number | null; readonly signal: number | null; readonly atMs: number } | null;
}

/** A report of our holder; null for any other value. */
export function heldInfo(value: unknown): HeldInfo | null {
  return typeof value === "object" && value !== null && "tmuxName" in value && "activeMs" in value ? (value as HeldInfo) : null;
}
