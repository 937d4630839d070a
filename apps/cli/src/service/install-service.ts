import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { currentUid, makePrivateDir } from "@tmpm/api/local";
import { TmpmError } from "@tmpm/core";
import { daemonCommand, daemonEnv } from "../daemon/daemon-program.js";
import { readIfThere } from "../system/read-if-there.js";
import { replaceFile } from "../system/replace-file.js";
import { installedService, type Place } from "./installed-service.js";
import type { ServiceManager } from "./service-manager.js";
import { type ServicePlan, servicePlan } from "./service-plan.js";
import { serviceRecord, writeServiceRecord } from "./service-record.js";

/** The service plan of this data folder. @throws INVALID_ARGUMENT, DAEMON_UNREACHABLE */
export function planService({ env, location }: Place): ServicePlan {
  return servicePlan(daemonCommand(env), daemonEnv(env, location));
}

/** Writes the service's file, replacing only a file that tmpm wrote. @throws TARGET_EXISTS, UNSAFE_PATH, STORE_READ_ONLY */
export function writeService(place: Place, { manager, plan }: { readonly manager: ServiceManager; readonly plan: ServicePlan }): void {
  const text = readIfThere(manager.file);
  if (text !== null && text !== manager.render(plan) && installedService(place)?.asWritten !== true) throw foreign(manager);
  makePrivateDir(place.location.home, currentUid());
  makePrivateDir(dirname(place.location.socket), currentUid());
  // In this order, because a file without its record would be unowned.
  writeServiceRecord(place.location.home, serviceRecord(manager, plan));
  try {
    mkdirSync(dirname(manager.file), { recursive: true });
    replaceFile(manager.file, manager.render(plan));
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new TmpmError("STORE_READ_ONLY", `${manager.file} cannot be written (${String(error.code)})`, {
      hint: "`tmpm daemon install --print` prints it, so that you can create it yourself.",
      cause: error,
    });
  }
}

function foreign({ file }: ServiceManager): TmpmError {
  return new TmpmError("TARGET_EXISTS", `${file} was modified or not written by tmpm`, {
    hint: "It is left unchanged. Move it away, then install again.",
    details: { path: file },
  });
}
