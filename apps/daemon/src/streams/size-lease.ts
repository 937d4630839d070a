/** Who decides the size of a terminal: one at a time, for as long as it says so now and then. */
export interface SizeLease {
  /** Null when nobody does, or has not said so for too long. */
  holder(nowMs: number): string | null;
  /** Takes or renews it; false when it is another's. */
  take(viewer: string, nowMs: number): boolean;
  /** True when it was this one's. */
  release(viewer: string): boolean;
  /** Whoever has it loses it; true when somebody had it. */
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
