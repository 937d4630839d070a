import { CONTRACTS, type Contract, type RouteName } from "@tmpm/api";
import { type Lane, type LaneOptions, lane } from "./lane.js";

/**
 * `requests`: everything without its own lane. `waits`: routes whose contract says `waits` or `long`, such as long polls, event streams and deliveries. `reports`: agents' own reports.
 * `tools`: calls of tools over HTTP, whose own requests take places in other lanes. `screens`: expensive tmux calls. `surveys`: scans of everything. `bodies`: large ones while they arrive, besides their route's lane.
 */
export type LaneName = "requests" | "waits" | "reports" | "tools" | "screens" | "surveys" | "bodies";

/** Concurrency limits; excess requests are refused before their body is read. */
export interface Load {
  /** A free place, as from `enter`; null without one. */
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
  tools: { atOnce: 1_024, waiting: 0 },
  screens: { atOnce: 16, waiting: 128 },
  surveys: { atOnce: 4, waiting: 32 },
  bodies: { atOnce: 8, waiting: 64 },
};

/** Minimum declared size of a body that takes a place in `bodies`, as does one of unknown size. */
export const LARGE_BODY_BYTES = 256 * 1024;

export function load(limits: LoadLimits = LOAD_LIMITS): Load {
  const lanes: Readonly<Record<LaneName, Lane>> = {
    requests: lane(limits.requests),
    waits: lane(limits.waits),
    reports: lane(limits.reports),
    tools: lane(limits.tools),
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
      tools: lanes.tools.counts(),
      screens: lanes.screens.counts(),
      surveys: lanes.surveys.counts(),
      bodies: lanes.bodies.counts(),
    }),
  };
}

/** Null for requests that are always answered: health and shutdown. */
export function laneOf(route: RouteName): LaneName | null {
  const own = LANES[route];
  if (own !== undefined) return own;
  const { waits, long }: Contract = CONTRACTS[route];
  return waits === true || long === true ? "waits" : "requests";
}

const LANES: Partial<Readonly<Record<RouteName, LaneName | null>>> = {
  health: null,
  ready: null,
  shutdown: null,
  hook: "reports",
  capture: "screens",
  discover: "surveys",
  reconcile: "surveys",
  doctor: "surveys",
  import: "surveys",
  export: "surveys",
  audit: "surveys",
};
