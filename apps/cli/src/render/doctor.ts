import type { Check, DoctorAnswer } from "@tmpm/api";
import type { View } from "../context.js";
import { facts } from "./facts.js";
import { oneLine } from "./one-line.js";
import type { Tone } from "./paint.js";

const TONES: Readonly<Record<Check["status"], Tone>> = { ok: "green", warn: "yellow", fail: "red", skip: "faint" };

/** One line per finding, its remedy below, and a count per status. */
export function renderDoctor({ checks, fixes }: DoctorAnswer, view: Pick<View, "terminal">): string {
  const rows = checks.flatMap(({ status, name, message, hint }) => [
    [{ text: status, tone: TONES[status] }, name, message],
    ...(hint === null || status === "ok" || status === "skip" ? [] : [["", "", `> ${oneLine(hint)}`]]),
  ]);
  const done = (fixes ?? []).filter(({ outcome }) => outcome !== "left").map(({ outcome, message }) => `${outcome}: ${oneLine(message)}`);
  return [facts(rows, view), "", ...done, ...(done.length === 0 ? [] : [""]), summary(checks, fixes !== undefined)].join("\n");
}

function summary(checks: readonly Check[], fixed: boolean): string {
  const count = (status: Check["status"]) => checks.filter((check) => check.status === status).length;
  const counts = [`${count("ok")} ok`, `${count("warn")} to check`, `${count("fail")} failed`, `${count("skip")} skipped`];
  const line = `${counts.filter((text) => !text.startsWith("0 ")).join(", ")}.`;
  return !fixed && checks.some(({ fixable }) => fixable) ? `${line} \`tmpm doctor --fix\` applies safe fixes.` : line;
}
