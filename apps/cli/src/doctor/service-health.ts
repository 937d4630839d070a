import { existsSync } from "node:fs";
import { installedService } from "../service/installed-service.js";
import { fail, type LocalFinding, ok, type Place, warn } from "./local-finding.js";

const NAME = "service";

/** Whether the installed service is unchanged, and the program it starts exists. */
export async function serviceHealth(place: Place): Promise<readonly LocalFinding[]> {
  const service = installedService(place);
  if (service === null) return [ok(NAME, "no service is installed; commands start the daemon in the background")];
  const { manager, record, asWritten } = service;
  const missing = record.plan.command.find((word) => word.startsWith("/") && !existsSync(word));
  if (missing !== undefined)
    return [
      fail(NAME, {
        message: `${manager.label} starts ${missing}, which does not exist`,
        hint: "`tmpm daemon restart` makes it start this version.",
      }),
    ];
  const absence = await manager.absence();
  if (absence !== null)
    return [warn(NAME, { message: `${manager.label} is installed, but ${manager.kind} does not answer: ${absence}`, hint: null })];
  const [{ enabled, active }, lingering] = await Promise.all([manager.state(), manager.lingering()]);
  const state = `${manager.label}, ${enabled ? "starts at login" : "does not start at login"}, ${active}`;
  if (!enabled) return [warn(NAME, { message: state, hint: "`tmpm daemon install` makes it start at login again." })];
  if (!asWritten)
    return [
      warn(NAME, {
        message: `${manager.file} was changed since it was installed`,
        hint: "Until it is restored, it is neither replaced nor removed.",
      }),
    ];
  return [lingering === null ? ok(NAME, state) : warn(NAME, { message: state, hint: lingering })];
}
