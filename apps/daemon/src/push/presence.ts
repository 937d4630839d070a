/** A page of a device; a page without an id is the device's only one. */
export interface DevicePage {
  readonly deviceId: string;
  readonly page?: string | undefined;
}

/** The devices with a page in view, by the pages' own reports. */
export interface Presence {
  /** Returns the end of the validity of the device's reports, in milliseconds since 1970; null when none of its pages is in view. */
  report(at: DevicePage, looks: boolean): number | null;
  until(deviceId: string): number | null;
  forget(deviceId: string): void;
}

/** A disconnected page stops reporting, so a report expires. */
const BELIEVED_MS = 120_000;
/** Of a device; the oldest report makes room. */
const MOST_PAGES = 100;

export function presence(clock: () => number): Presence {
  const devices = new Map<string, ReadonlyMap<string, number>>();
  const valid = (deviceId: string) => [...(devices.get(deviceId) ?? [])].filter(([, end]) => end > clock());
  const until = (deviceId: string) => {
    const ends = valid(deviceId).map(([, end]) => end);
    return ends.length === 0 ? null : Math.max(...ends);
  };
  return {
    report({ deviceId, page = "" }, looks) {
      const others = valid(deviceId).filter(([each]) => each !== page);
      const pages = looks ? [...others, [page, clock() + BELIEVED_MS] as const] : others;
      if (pages.length === 0) devices.delete(deviceId);
      else devices.set(deviceId, new Map(pages.slice(-MOST_PAGES)));
      return until(deviceId);
    },
    until,
    forget: (deviceId) => void devices.delete(deviceId),
  };
}
