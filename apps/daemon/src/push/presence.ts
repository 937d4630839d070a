/** The devices whose page is in view, by their own reports. */
export interface Presence {
  /** Returns the end of the report's validity, in milliseconds since 1970; null when not in view. */
  report(deviceId: string, looks: boolean): number | null;
  until(deviceId: string): number | null;
  forget(deviceId: string): void;
}

/** A disconnected page stops reporting, so a report expires. */
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
