import type { Location } from "@tmpm/api/local";
import { findProgram } from "../system/programs.js";
import { readIfThere } from "../system/read-if-there.js";
import { launchd } from "./launchd.js";
import type { ServiceManager } from "./service-manager.js";
import { isAsWritten, readServiceRecord, type ServiceRecord } from "./service-record.js";
import { serviceWhere } from "./service-where.js";
import { systemd } from "./systemd.js";

export interface Place {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly location: Location;
}

export interface InstalledService {
  readonly manager: ServiceManager;
  readonly record: ServiceRecord;
  /** Whether the file is unchanged since then. */
  readonly asWritten: boolean;
}

/** The service that manages a data folder's daemon; null if none was installed, or its file no longer exists. */
export function installedService(place: Place): InstalledService | null {
  const record = readServiceRecord(place.location.home);
  if (record === null) return null;
  const manager = MANAGERS[record.manager](serviceWhere(place));
  const text = readIfThere(manager.file);
  return text === null ? null : { manager, record, asWritten: isAsWritten(record, text) };
}

/** The manager of this system, whether it responds or not. */
export function systemManager(place: Place): ServiceManager {
  const kind = findProgram("launchctl", place.env) === null ? "systemd" : "launchd";
  return MANAGERS[kind](serviceWhere(place));
}

const MANAGERS = { systemd, launchd };
