/** At which devices somebody looks, as they say themselves. */
export interface Presence {
  /** Returns until when that is believed, in milliseconds since 1970; null when nobody looks. */
  report(deviceId: string, looks: boolean): number | null;
  until(deviceId: string): number | null;
  forget(deviceId: string): void;
}

/** A page that was cut off says nothing any more, so a report is believed for a while only. */
const BELIEVED_MS = 120_000;

export function presence(clock: () => number): Presence {
  const looked = new Map<string, number>();
  const until = (deviceId: string) => {
    const end = looked.get(deviceId) ?? 0;
    return end > clock() ? end : null;
  };
  return {
    report(deviceId, looks) {
      if (looks) looked.set(deviceId, clock() + BELIEVED_MS);
      else looked.delete(deviceId);
      return until(deviceId);
    },
    until,
    forget: (deviceId) => void looked.delete(deviceId),
  };
}
