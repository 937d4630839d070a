import { existsSync } from "node:fs";
import { installedService } from "../service/installed-service.js";
import { fail, type LocalFinding, ok, type Place, warn } from "./local-finding.js";

const NAME = "service";

/** Whether the service that was installed is as it was, and what it begins is there. */
export async function serviceHealth(place: Place): Promise<readonly LocalFinding[]> {
  const service = installedService(place);
  if (service === null) return [ok(NAME, "none is installed; commands begin the daemon in the background")];
  const { manager, record, asWritten } = service;
  const missing = record.plan.command.find((word) => word.startsWith("/") && !existsSync(word));
  if (missing !== undefined)
    return [
      fail(NAME, {
        message: `${manager.label} begins ${missing}, which is not there`,
        hint: "`tmpm daemon restart` has it begin this version.",
      }),
    ];
  const absence = await manager.absence();
  if (absence !== null)
    return [warn(NAME, { message: `${manager.label} is installed, and ${manager.kind} does not answer: ${absence}`, hint: null })];
  const [{ enabled, active }, lingering] = await Promise.all([manager.state(), manager.lingering()]);
  const state = `${manager.label}, ${enabled ? "begins at login" : "does not begin at login"}, ${active}`;
  if (!enabled) return [warn(NAME, { message: state, hint: "`tmpm daemon install` has it begin at login again." })];
  if (!asWritten)
    return [
      warn(NAME, {
        message: `${manager.file} was changed since it was installed`,
        hint: "It is neither replaced nor removed as long as it is so.",
      }),
    ];
  return [lingering === null ? ok(NAME, state) : warn(NAME, { message: state, hint: lingering })];
}
