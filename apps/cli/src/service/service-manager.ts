import type { ServicePlan } from "./service-plan.js";

/** Whether the manager starts the daemon at login, and whether it runs now. */
export interface ServiceState {
  readonly enabled: boolean;
  /** In the manager's own words: `active`, `inactive`, `failed`. */
  readonly active: string;
}

/** The system's program that keeps services running for a user. Its own refusals are LAUNCH_FAILED with its message. */
export interface ServiceManager {
  readonly kind: "systemd" | "launchd";
  /** The service's name in the manager. */
  readonly label: string;
  /** The absolute path of its file. */
  readonly file: string;
  /** The file's text. */
  render(plan: ServicePlan): string;
  /** Null if available; otherwise the reason. */
  absence(): Promise<string | null>;
  /** For a new file: starts the daemon now, and at every login. */
  enable(): Promise<void>;
  /** For a file changed while the daemon was stopped. */
  reload(): Promise<void>;
  start(): Promise<void>;
  /** Ends the daemon, and disables its start. */
  disable(): Promise<void>;
  /** Called after the file was removed. */
  forget(): Promise<void>;
  state(): Promise<ServiceState>;
  /** Why sessions and daemon do not outlive a logout, and the remedy; null if they do. */
  lingering(): Promise<string | null>;
}
