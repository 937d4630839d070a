import type { HostileText } from "./hostile-texts.js";
import type { Judged, Trial } from "./verdict.js";

/** One text, its observation, and its verdict. */
export interface Case {
  readonly hostile: HostileText;
  readonly trial: Trial;
  readonly judged: Judged;
}

export interface Figures {
  readonly who: string;
  readonly seed: number;
  readonly cases: readonly Case[];
}

/** The figures of one agent as a table, followed by each failed text. */
export function figuresOf({ who, seed, cases }: Figures): string {
  const count = (of: (each: Case) => boolean) => cases.filter(of).length;
  const rows: readonly (readonly [string, number])[] = [
    ...(["exact", "declared", "refused", "wrong"] as const).map((name) => [name, count(({ judged }) => judged.verdict === name)] as const),
    ...(["right", "unknown", "false"] as const).map((name) => [`receipt ${name}`, count(({ judged }) => judged.receipt === name)] as const),
    ["damage", count(({ trial }) => trial.damage.length > 0)],
  ];
  const table = rows.map(
    ([name, number]) => `  ${name.padEnd(16)}${String(number).padStart(5)}${percent(number, cases.length).padStart(8)}`,
  );
  const faulty = cases.filter(isFaulty).map((each) => faultOf(each, seed));
  return [`${who}: ${cases.length} texts of seed ${seed}`, ...table, ...faulty].join("\n");
}

export function isFaulty({ judged }: Pick<Case, "judged">): boolean {
  return judged.verdict === "wrong" || judged.receipt !== "right";
}

function percent(number: number, of: number): string {
  return `${((100 * number) / of).toFixed(1)} %`;
}

function faultOf({ hostile, trial, judged }: Case, seed: number): string {
  const { number, kind, moment } = hostile;
  const sent = `  ${seed}/${number} ${kind}, ${moment}: ${shown(hostile.text)}`;
  const said = [trial.outcome, trial.reason, trial.altered].filter((word) => word !== null).join("/");
  const got = trial.received.length === 0 ? "nothing" : trial.received.map(shown).join(" and ");
  const damage = trial.damage.length === 0 ? "" : `; damage: ${trial.damage.join(", ")}`;
  return `${sent}\n      ${judged.verdict}, receipt ${judged.receipt} (${said}); received ${got}${damage}`;
}

const SHOWN = 160;

/** Replaces everything but plain ASCII with its code point. */
function shown(text: string): string {
  const escaped = JSON.stringify(text).replace(/[^\x20-\x7e]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
  return escaped.length <= SHOWN ? escaped : `${escaped.slice(0, SHOWN)}… (${Buffer.byteLength(text)} bytes)`;
}
