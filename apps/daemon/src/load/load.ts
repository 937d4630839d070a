import type { RouteName } from "@tmpm/api";
import { type Lane, type LaneOptions, lane } from "./lane.js";

/**
 * `requests`: everything without a lane of its own. `waits`: long polls, streams of events, and what waits for a delivery. `reports`: what agents tell of themselves.
 * `screens`: each asks tmux for much. `surveys`: each looks at everything. `bodies`: large ones while they come, beside their route's own lane.
 */
export type LaneName = "requests" | "waits" | "reports" | "screens" | "surveys" | "bodies";

/** How much is done at once; what is too much is refused before its body is read. */
export interface Load {
  /** A place that is free, as from `enter`; null when none is. */
  take(lane: LaneName): (() => void) | null;
  /** @throws OVERLOADED; the signal's reason */
  enter(lane: LaneName, signal: AbortSignal): Promise<() => void>;
  counts(): Readonly<Record<LaneName, ReturnType<Lane["counts"]>>>;
}

export type LoadLimits = Readonly<Record<LaneName, LaneOptions>>;

export const LOAD_LIMITS: LoadLimits = {
  requests: { atOnce: 256, waiting: 256 },
  waits: { atOnce: 1_024, waiting: 0 },
  reports: { atOnce: 64, waiting: 1_024 },
  screens: { atOnce: 16, waiting: 128 },
  surveys: { atOnce: 4, waiting: 32 },
  bodies: { atOnce: 8, waiting: 64 },
};

/** A body that is announced as larger, or not announced, takes a place in `bodies`. */
export const LARGE_BODY_BYTES = 256 * 1024;

export function load(limits: LoadLimits = LOAD_LIMITS): Load {
  const lanes: Readonly<Record<LaneName, Lane>> = {
    requests: lane(limits.requests),
    waits: lane(limits.waits),
    reports: lane(limits.reports),
    screens: lane(limits.screens),
    surveys: lane(limits.surveys),
    bodies: lane(limits.bodies),
  };
  return {
    take: (name) => lanes[name].take(),
    enter: (name, signal) => lanes[name].enter(signal),
    counts: () => ({
      requests: lanes.requests.counts(),
      waits: lanes.waits.counts(),
      reports: lanes.reports.counts(),
      screens: lanes.screens.counts(),
      surveys: lanes.surveys.counts(),
      bodies: lanes.bodies.counts(),
    }),
  };
}

/** Null for what is always answered: somebody has to be able to ask how the daemon is, and to end it. */
export function laneOf(route: RouteName): LaneName | null {
  const own = LANES[route];
  return own === undefined ? "requests" : own;
}

const LANES: Partial<Readonly<Record<RouteName, LaneName | null>>> = {
  health: null,
  ready: null,
  shutdown: null,
  hook: "reports",
  events: "waits",
  wait: "waits",
  waitMany: "waits",
  turn: "waits",
  operation: "waits",
  send: "waits",
  create: "waits",
  capture: "screens",
  discover: "surveys",
  reconcile: "surveys",
  doctor: "surveys",
  import: "surveys",
  export: "surveys",
  audit: "surveys",
};
