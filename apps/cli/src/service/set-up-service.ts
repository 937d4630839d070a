import { rmSync } from "node:fs";
import { TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { startAgain, stopDaemon } from "../daemon/daemon-life.js";
import { withProgram } from "../daemon/daemon-program.js";
import { checkListening, type ListenRequest, listenEnv } from "../daemon/listen-request.js";
import type { ServiceResult } from "../render/service.js";
import { planService, writeService } from "./install-service.js";
import { installedService, type Place, systemManager } from "./installed-service.js";
import { noService, serviceAnswer } from "./service-answer.js";
import { removeServiceRecord } from "./service-record.js";

/** The path and content of the file that `install` would write. */
export function printService(context: Context, wanted: ListenRequest): ServiceResult {
  const place = placeOf(context, wanted);
  const manager = systemManager(place);
  return { kind: "file", file: manager.file, text: manager.render(planService(place)) };
}

/** Hands the daemon over to the system's service manager; without one, starts it in the background. */
export async function setUpService(context: Context, wanted: ListenRequest): Promise<ServiceResult> {
  const place = placeOf(context, wanted);
  const none = await noService(place);
  if (none !== null) return { kind: "installed", service: none, health: await startAgain(context, wanted) };
  const manager = systemManager(place);
  writeService(place, { manager, plan: planService(place) });
  // The running daemon is unmanaged, or belongs to an older service: its successor must be started by the manager.
  await stopDaemon(context);
  await manager.enable();
  const health = await startAgain(context, {});
  checkListening(wanted, health);
  return { kind: "installed", service: await serviceAnswer(place), health };
}

/** Sessions keep running. */
export async function takeDownService(context: Context): Promise<ServiceResult> {
  const gone = await uninstallService(placeOf(context, {}));
  return { kind: "uninstalled", file: gone?.file ?? null };
}

function placeOf({ env, settled, location }: Context, wanted: ListenRequest): Place {
  return { env: listenEnv(withProgram({ env, settled }), wanted), location: location() };
}

/** Ends the service's daemon and removes the service's file, unless it was modified. Null when no service was installed. @throws TARGET_EXISTS, LAUNCH_FAILED */
async function uninstallService(place: Place): Promise<{ readonly file: string } | null> {
  const service = installedService(place);
  if (service === null) {
    removeServiceRecord(place.location.home);
    return null;
  }
  const { manager, asWritten } = service;
  if (!asWritten) {
    throw new TmpmError("TARGET_EXISTS", `${manager.file} was changed since it was installed, and is left unchanged`, {
      hint: "Save your changes elsewhere and remove the file, then run this again.",
      details: { path: manager.file },
    });
  }
  await manager.disable();
  rmSync(manager.file, { force: true });
  await manager.forget();
  removeServiceRecord(place.location.home);
  return { file: manager.file };
}
