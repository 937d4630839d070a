/** The lease on a terminal's size: one holder at a time, while it keeps renewing. */
export interface SizeLease {
  /** Null if unheld or expired. */
  holder(nowMs: number): string | null;
  /** Takes or renews it; false if another holder has it. */
  take(viewer: string, nowMs: number): boolean;
  /** Releases it; true if this viewer held it. */
  release(viewer: string): boolean;
  /** Revokes it; true if it was held. */
  revoke(): boolean;
}

export function sizeLease(forMs: number): SizeLease {
  let held: { readonly by: string; readonly untilMs: number } | null = null;
  const holder = (nowMs: number) => (held !== null && nowMs < held.untilMs ? held.by : null);
  return {
    holder,
    take(viewer, nowMs) {
      const by = holder(nowMs);
      if (by !== null && by !== viewer) return false;
      held = { by: viewer, untilMs: nowMs + forMs };
      return true;
    },
    release(viewer) {
      if (held?.by !== viewer) return false;
      held = null;
      return true;
    },
    revoke() {
      const had = held !== null;
      held = null;
      return had;
    },
  };
}
