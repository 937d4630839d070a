/** What a holder reports about its terminal, in answers and with every change. */
export interface HeldInfo {
  readonly tmuxName: string;
  readonly pid: number;
  readonly tty: string;
  readonly columns: number;
  readonly rows: number;
  readonly viewers: number;
  /** When it last printed, in milliseconds since 1970. */
  readonly activeMs: number;
  readonly exit: { readonly status: number | null; readonly signal: number | null; readonly atMs: number } | null;
}

/** A holder of ours says it; null for what something else says. */
export function heldInfo(value: unknown): HeldInfo | null {
  return typeof value === "object" && value !== null && "tmuxName" in value && "activeMs" in value ? (value as HeldInfo) : null;
}
