import type { Check, DoctorAnswer } from "@tmpm/api";
import { columns, oneLine } from "./columns.js";

/** A line for each finding, what to do about it below, and how many there are of each kind. */
export function renderDoctor({ checks, fixes }: DoctorAnswer): string {
  const rows = checks.flatMap(({ status, name, message, hint }) => [
    [status, name, message],
    ...(hint === null || status === "ok" || status === "skip" ? [] : [["", "", `> ${oneLine(hint)}`]]),
  ]);
  const done = (fixes ?? []).filter(({ outcome }) => outcome !== "left").map(({ outcome, message }) => `${outcome}: ${oneLine(message)}`);
  return [columns(rows), "", ...done, ...(done.length === 0 ? [] : [""]), summary(checks, fixes !== undefined)].join("\n");
}

function summary(checks: readonly Check[], fixed: boolean): string {
  const count = (status: Check["status"]) => checks.filter((check) => check.status === status).length;
  const counts = [`${count("ok")} well`, `${count("warn")} to know`, `${count("fail")} wrong`, `${count("skip")} not looked at`];
  const line = `${counts.filter((text) => !text.startsWith("0 ")).join(", ")}.`;
  return !fixed && checks.some(({ fixable }) => fixable) ? `${line} \`tmpm doctor --fix\` does what is safe about it.` : line;
}
