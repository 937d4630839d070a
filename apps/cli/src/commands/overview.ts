import type { SessionAnswer } from "@tmpm/api";
import { isNotRunning } from "@tmpm/api/local";
import { command } from "../command.js";
import type { Context } from "../context.js";
import { component, FLAG, listOf, objectOf, TEXT } from "../printed.js";
import { type Overview, renderOverview } from "../render/overview.js";
import { byNeed, lastWords, standing, waitsSince } from "../render/standing.js";

const ANSWER_MS = 10_000;

const NEEDY = objectOf({ id: TEXT, name: TEXT, standing: TEXT, since: component("Timestamp"), why: TEXT, command: TEXT });

/** The output of `tmpm` alone. It starts nothing. */
export const overview = command({
  name: "",
  group: null,
  summary: "Show the state of all sessions and what to do next",
  args: {},
  options: {},
  printed: {
    forms: [
      objectOf({
        running: FLAG,
        total: { type: "integer" },
        counts: { type: "object", additionalProperties: { type: "integer" } },
        needs_you: listOf(NEEDY),
        problems: { type: "integer" },
      }),
    ],
  },
  async run(_input, context): Promise<Overview> {
    const list = await listed(context);
    if (list === null) return { running: false, total: 0, counts: {}, needs_you: [], problems: 0 };
    const counts: Record<string, number> = {};
    for (const session of list.sessions) {
      const { name } = standing(session);
      counts[name] = (counts[name] ?? 0) + 1;
    }
    const needy = list.sessions.filter((session) => standing(session).needsYou).sort(byNeed);
    return {
      running: true,
      total: list.sessions.length,
      counts,
      needs_you: needy.map((session) => ({
        id: session.id,
        name: session.name,
        standing: standing(session).name,
        since: waitsSince(session),
        why: lastWords(session),
        command: whatToType(session),
      })),
      problems: list.problems.length,
    };
  },
  render: renderOverview,
});

/** Null when no daemon runs. */
async function listed(context: Context) {
  try {
    return await context.observer().list({}, { timeoutMs: ANSWER_MS });
  } catch (error) {
    if (isNotRunning(error)) return null;
    throw error;
  }
}

/** The command that handles a session's need. */
function whatToType(session: SessionAnswer): string {
  const { name, decision } = session;
  if (decision?.kind === "approval") return `tmpm approve ${name}`;
  if (decision?.kind === "question") return `tmpm answer ${name} --choice NUMBER`;
  const { question } = session;
  if (question && standing(session).name === "question")
    return `tmpm answer ${name} ${question.choices.length === 0 ? "TEXT" : "--choice NUMBER"}`;
  return standing(session).name === "error" ? `tmpm why ${name}` : `tmpm attach ${name}`;
}
