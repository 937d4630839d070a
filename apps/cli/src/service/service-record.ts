import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { membersOf, toObject } from "../input/parse-object.js";
import { readIfThere } from "../system/read-if-there.js";
import { replaceFile } from "../system/replace-file.js";
import type { ServiceManager } from "./service-manager.js";
import type { ServicePlan } from "./service-plan.js";

/** The installed service of a data folder: shows a later version which file it may replace, and which settings to keep. */
export interface ServiceRecord {
  readonly manager: ServiceManager["kind"];
  /** The digest of the file's text as written. */
  readonly sha256: string;
  readonly plan: ServicePlan;
}

export function serviceRecord(manager: ServiceManager, plan: ServicePlan): ServiceRecord {
  return { manager: manager.kind, sha256: digestOf(manager.render(plan)), plan };
}

/** Whether the text is unchanged since it was written. */
export function isAsWritten({ sha256 }: ServiceRecord, text: string): boolean {
  return digestOf(text) === sha256;
}

/** Null if nothing was installed, or if the record is unreadable; such a service is left to its owner. */
export function readServiceRecord(home: string): ServiceRecord | null {
  const text = readIfThere(pathIn(home));
  return text === null ? null : parse(membersOf(text));
}

export function writeServiceRecord(home: string, record: ServiceRecord): void {
  replaceFile(pathIn(home), `${JSON.stringify({ schema_version: 1, ...record }, null, 2)}\n`);
}

export function removeServiceRecord(home: string): void {
  rmSync(pathIn(home), { force: true });
}

function pathIn(home: string): string {
  return join(home, "service.json");
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function parse({ manager, sha256, plan: found }: Readonly<Record<string, unknown>>): ServiceRecord | null {
  const plan = toObject(found);
  const [program, ...args] = Array.isArray(plan.command) ? plan.command.filter((word) => typeof word === "string") : [];
  if ((manager !== "systemd" && manager !== "launchd") || typeof sha256 !== "string" || program === undefined) return null;
  const env = Object.entries(toObject(plan.env)).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return { manager, sha256, plan: { command: [program, ...args], env: Object.fromEntries(env) } };
}
