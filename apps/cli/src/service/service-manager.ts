import type { ServicePlan } from "./service-plan.js";

/** Whether the manager begins the daemon at a login, and whether it runs it now. */
export interface ServiceState {
  readonly enabled: boolean;
  /** In the manager's own words: `active`, `inactive`, `failed`. */
  readonly active: string;
}

/** The one program of a system that keeps services running for a user. Its own refusals are LAUNCH_FAILED with its words. */
export interface ServiceManager {
  readonly kind: "systemd" | "launchd";
  /** What the service is called there. */
  readonly label: string;
  /** Where its file belongs, absolute. */
  readonly file: string;
  /** The file's text. */
  render(plan: ServicePlan): string;
  /** Null when it can be asked; else why not, in words. */
  absence(): Promise<string | null>;
  /** The file is new: begins the daemon now, and at every login. */
  enable(): Promise<void>;
  /** The file has changed while the daemon did not run. */
  reload(): Promise<void>;
  start(): Promise<void>;
  /** Ends the daemon, and begins it no more. */
  disable(): Promise<void>;
  /** The file is gone. */
  forget(): Promise<void>;
  state(): Promise<ServiceState>;
  /** What keeps sessions and daemon from outliving a logout, and what to do about it; null when nothing does. */
  lingering(): Promise<string | null>;
}
