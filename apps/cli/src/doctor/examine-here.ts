import type { Check, DoctorAnswer, Fix } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { client } from "@tmpm/api/client";
import { currentLocation, currentUid, daemonUrl, examine, localTransport } from "@tmpm/api/local";
import { isTmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import type { DaemonAnswersOptions } from "./daemon-answers.js";
import { type DaemonKnown, daemonKnown } from "./daemon-known.js";
import { daemonsChecks } from "./daemons-checks.js";
import { localChecks } from "./local-checks.js";
import type { LocalFinding, Place } from "./local-finding.js";

export interface ExamineHereOptions {
  /** Apply safe fixes, then check again. */
  readonly fix: boolean;
  /** Also replace a daemon of another version. */
  readonly restart: boolean;
}

/** Above the time limit of every program that is run. */
const DEADLINE_MS = 10_000;

/** Runs all checks concurrently; fails only if the location cannot be determined. @throws SOCKET_PATH_TOO_LONG */
export async function examineHere(context: Context, { fix, restart }: ExamineHereOptions): Promise<DoctorAnswer> {
  const before = await lookEverywhere(context, restart);
  if (!fix) return { checks: [...before.local.map(checkOf), ...before.daemons] };
  const done = await fixFindings(before.local);
  const after = done.length === 0 ? before : await lookEverywhere(context, restart);
  const checks = [...after.local.map(checkOf), ...after.daemons];
  return { checks, fixes: [...done, ...leftOver(checks)] satisfies Fix[] };
}

interface Looked {
  readonly local: readonly (LocalFinding & { readonly id: string })[];
  readonly daemons: readonly Check[];
}

async function lookEverywhere(context: Context, restart: boolean): Promise<Looked> {
  const { place, observer } = reach(context);
  const known = await daemonKnown(observer);
  const [local, daemons] = await Promise.all([
    examine<LocalFinding>(checksFor(context, { place, known, restart }), { deadlineMs: DEADLINE_MS }),
    daemonsChecks({ known, observer, place }),
  ]);
  return { local, daemons };
}

interface Wanted {
  readonly place: Place;
  readonly known: DaemonKnown;
  readonly restart: boolean;
}

function checksFor(context: Context, { place, known, restart }: Wanted): Partial<ReturnType<typeof localChecks>> {
  const daemon: DaemonAnswersOptions = { known, version: context.version, restart: restart ? () => replaceDaemon(context) : null };
  const checks = localChecks(place, daemon);
  const { node, config, daemon: answers } = checks;
  // For another machine's daemon, only its own checks can be run from here.
  return daemonUrl(place.env) === null ? checks : { node, config, daemon: answers };
}

async function replaceDaemon(context: Context): Promise<{ readonly pid: number }> {
  const { restartDaemon } = await import("../daemon/daemon-life.js");
  return restartDaemon(context, {});
}

/** An unreadable configuration is a finding, and blocks no other check. */
function reach(context: Context): { readonly place: Place; readonly observer: Client } {
  const uid = currentUid();
  try {
    const env = context.settled();
    return { place: { env, location: context.location(), uid }, observer: context.observer() };
  } catch (error) {
    if (!isTmpmError(error) || error.code === "SOCKET_PATH_TOO_LONG") throw error;
    const location = currentLocation(context.env);
    return { place: { env: context.env, location, uid }, observer: client({ transport: localTransport({ socket: location.socket }) }) };
  }
}

function checkOf({ id, name, status, message, hint, cure }: LocalFinding & { readonly id: string }): Check {
  return { id, name, status, message, hint, ...(cure === undefined ? {} : { fixable: true }) };
}

/** Applies safe fixes, one after the other. Returns what was done and what failed. */
async function fixFindings(findings: readonly (LocalFinding & { readonly id: string })[]): Promise<readonly Fix[]> {
  const fixes: Fix[] = [];
  for (const { id, cure } of findings) if (cure !== undefined) fixes.push(await attempt(id, cure));
  return fixes;
}

/** Findings that need the user. */
function leftOver(checks: readonly Check[]): readonly Fix[] {
  const open = checks.filter(({ status }) => status === "warn" || status === "fail");
  return open.map(({ id = "", message, hint }) => ({ id, outcome: "left", message: hint ?? message }));
}

async function attempt(id: string, cure: () => Promise<string>): Promise<Fix> {
  try {
    return { id, outcome: "done", message: await cure() };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { id, outcome: "failed", message: error.message };
  }
}
