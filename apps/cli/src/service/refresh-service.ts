import { daemonCommand, daemonEnv } from "../daemon/daemon-program.js";
import { type ListenRequest, listenEnv } from "../daemon/listen-request.js";
import { writeService } from "./install-service.js";
import { installedService, type Place } from "./installed-service.js";
import { servicePlan } from "./service-plan.js";

/**
 * Makes the service run this version of tmpm from its next start, and listen as configured; everything else stays as installed, and a file modified by
 * others is left unchanged. The daemon must not run meanwhile.
 */
export async function refreshService(place: Place, wanted: ListenRequest): Promise<void> {
  const service = installedService(place);
  if (service === null || !service.asWritten) return;
  const { manager, record } = service;
  const { TMPM_CLI } = daemonEnv(place.env, place.location);
  const plan = servicePlan(daemonCommand(place.env), listenEnv({ ...record.plan.env, TMPM_CLI }, wanted));
  if (manager.render(plan) === manager.render(record.plan)) return;
  writeService(place, { manager, plan });
  await manager.reload();
}
