import { rmSync } from "node:fs";
import { TmpmError } from "@tmpm/core";
import { installedService, type Place } from "./installed-service.js";
import { removeServiceRecord } from "./service-record.js";

/** Ends the service's daemon and removes the service's file, unless it was modified. Null when no service was installed. @throws TARGET_EXISTS, LAUNCH_FAILED */
export async function uninstallService(place: Place): Promise<{ readonly file: string } | null> {
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
