import { installedService, type Place, systemManager } from "./installed-service.js";
import type { ServiceManager } from "./service-manager.js";

/** The daemon's service, as `--json` prints it. */
export interface ServiceAnswer {
  /** `none`: the daemon runs in the background, started by the first command that needs it. */
  readonly manager: ServiceManager["kind"] | "none";
  readonly label: string | null;
  readonly file: string | null;
  /** It starts at every login. */
  readonly enabled: boolean;
  /** In the manager's words. */
  readonly active: string | null;
  /** Why the service is missing, or a note about the existing one; null if healthy. */
  readonly message: string | null;
}

export async function serviceAnswer(place: Place): Promise<ServiceAnswer> {
  const service = installedService(place);
  if (service === null) return { ...NONE, message: "no service is installed" };
  const { manager, asWritten } = service;
  const [{ enabled, active }, lingering] = await Promise.all([manager.state(), manager.lingering()]);
  const message = asWritten ? lingering : `${manager.file} was changed since it was installed`;
  return { manager: manager.kind, label: manager.label, file: manager.file, enabled, active, message };
}

/** Why a service cannot be installed here; null if it can. */
export async function noService(place: Place): Promise<ServiceAnswer | null> {
  const absence = await systemManager(place).absence();
  return absence === null ? null : { ...NONE, message: absence };
}

const NONE = { manager: "none", label: null, file: null, enabled: false, active: null } as const;
