import type { TurnAnswer, TurnList } from "@tmpm/api";
import { command } from "../command.js";
import { usageError } from "../parse/usage-error.js";
import { answersOf } from "../printed.js";
import { renderTurn, renderTurns, turnExit } from "../render/turn.js";
import { followTurn } from "../terminal/follow-turn.js";
import { SESSION } from "./shared-arguments.js";

type TurnsResult =
  | { readonly kind: "list"; readonly list: TurnList }
  | { readonly kind: "one"; readonly name: string; readonly turn: TurnAnswer; readonly waited: boolean };

export const turns = command({
  name: "turns",
  group: "Send prompts and answers",
  summary: "List a session's turns and their outcomes, or show one with the agent's last words",
  more: [
    "Newest last. With --wait, exits when the turn ends: status 0 if completed, 4 if cancelled, or the status of its error if it failed.",
    "",
    "Examples:",
    "  tmpm turns demo",
    "  tmpm turns demo --from 10 --limit 5",
    "  tmpm turns demo 6d1f3c5a --wait",
  ].join("\n"),
  args: {
    session: SESSION,
    turn: { takes: "optional", label: "TURN", summary: "Turn id, prefix or key" },
  },
  options: {
    from: { takes: "count", label: "NO", summary: "Start with this turn number" },
    limit: { takes: "count", label: "N", summary: "Maximum number of turns (default: 20)" },
    wait: { takes: "flag", summary: "Wait until the turn has ended" },
  },
  printed: answersOf("turns", "turn"),
  async run({ session, turn, from, limit, wait }, context): Promise<TurnsResult> {
    const client = context.client();
    if (turn === undefined) {
      if (wait) throw usageError("--wait requires a turn", "Add its id: tmpm turns SESSION TURN --wait");
      return { kind: "list", list: await client.turns({ session, from, limit }) };
    }
    if (from !== undefined || limit !== undefined) throw usageError("--from and --limit apply to the list only", "Omit TURN.");
    const found = wait ? await followTurn(client, { session, turn, quiet: context.json }) : await client.turn({ session, turn });
    return { kind: "one", name: session, turn: found, waited: wait };
  },
  render: (result, view) => (result.kind === "list" ? renderTurns(result.list, view) : renderTurn(result.name, result.turn, view)),
  json: (result) => JSON.stringify(result.kind === "list" ? result.list : result.turn),
  notes: (result) => (result.kind === "list" && result.list.turns.length === 0 ? ["no turns"] : []),
  exit: (result) => (result.kind === "one" && result.waited ? turnExit(result.turn) : 0),
});
