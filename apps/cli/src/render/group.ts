import type { GroupAnswer } from "@tmpm/api";
import type { View } from "../context.js";
import { age } from "./age.js";
import type { Cell } from "./cell.js";
import { oneLine } from "./one-line.js";
import { standing, standingText } from "./standing.js";
import { table } from "./table.js";
import { allTokens, tokensText } from "./tokens.js";

type Member = GroupAnswer["members"][number];

const HEAD = ["NAME", "STATE", "AGENT", "MODEL", "CHANGES", "CHECK", "TURNS", "WORKED", "TOKENS"];

/** One line per session of a group. */
export function renderGroup({ members }: GroupAnswer, view: View): string {
  return table({ head: HEAD, rows: members.map((member) => row(member, view)), spare: [6, 3, 8, 7], room: 24 }, view);
}

function row({ session, changes, checked, turns, worked_ms }: Member, { now }: View): readonly Cell[] {
  const { sign, tone } = standing(session);
  return [
    session.name,
    { text: `${sign} ${standingText(session)}`, tone },
    session.agent,
    session.agent_config.model ?? "-",
    changes === null ? "-" : `${changes.files} ${changes.files === 1 ? "file" : "files"}, +${changes.added} -${changes.removed}`,
    checkCell(checked),
    String(turns),
    age(new Date(now - worked_ms).toISOString(), now),
    session.usage === null ? "-" : tokensText(allTokens(session.usage.tokens)),
  ];
}

function checkCell(checked: Member["checked"]): Cell {
  if (checked === null) return "-";
  if (checked.failure === null) return { text: "passed", tone: "green" };
  return { text: `failed: ${oneLine(checked.last_lines.at(-1) ?? checked.failure)}`, tone: "red" };
}
