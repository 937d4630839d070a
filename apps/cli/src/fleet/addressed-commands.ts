import type { FleetList } from "@tmpm/api";
import { HERE } from "./here.js";

/** Verbs that include all nodes, or concern one machine only: they are the same everywhere. */
const SAME_EVERYWHERE: ReadonlySet<string> = new Set([...HERE, "counts", "ls", "next"]);

/** Verbs about the machine they are typed on, which a node suggests for itself. */
const OF_ITS_MACHINE: ReadonlySet<string> = new Set(["config", "daemon", "doctor"]);

/** Verbs whose first argument is not a session. */
const WITHOUT_SESSION: ReadonlySet<string> = new Set([
  ...["adopt", "agents", "ask", "discover", "fan", "group", "new", "notify", "projects", "reconcile", "report", "token", "trust"],
]);

const COMMAND = /`tmpm ([a-z][a-z-]*)((?: [^`]*)?)`/g;

/** Commands in backticks that a node's texts suggest, as they are typed on this machine: `tmpm stop api` becomes `tmpm stop build1:api`. */
export function addressedCommands(text: string, node: string): string {
  return text.replace(COMMAND, (command, verb: string, rest: string, at: number) => {
    if (OF_ITS_MACHINE.has(verb)) {
      const there = ` on ${node}`;
      return text.startsWith(there, at + command.length) ? command : command + there;
    }
    if (SAME_EVERYWHERE.has(verb) || rest.includes(" --on ")) return command;
    if (WITHOUT_SESSION.has(verb) || !/^ [^-]/.test(rest)) return `\`tmpm ${verb}${rest} --on ${node}\``;
    const [, session = "", others = ""] = /^ ([^\s:-][^\s:]*)( .*)?$/s.exec(rest) ?? [];
    return session === "" ? command : `\`tmpm ${verb} ${node}:${session}${others}\``;
  });
}

/** The JSON body of a node's response, with its hints for this machine. Anything else is unchanged. */
export function addressedBody(body: string, node: string): string {
  if (!body.includes('"hint":"')) return body;
  try {
    return JSON.stringify(addressed(JSON.parse(body), node));
  } catch (error) {
    if (error instanceof SyntaxError) return body;
    throw error;
  }
}

/** The sessions of other machines, with their hints for this machine. */
export function addressedFleet(list: FleetList): FleetList {
  const sessions = list.sessions.map((session) =>
    session.node === null || session.hint === null ? session : { ...session, hint: addressedCommands(session.hint, session.node) },
  );
  return { ...list, sessions };
}

function addressed(value: unknown, node: string): unknown {
  if (Array.isArray(value)) return value.map((each) => addressed(each, node));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => {
    return [key, key === "hint" && typeof each === "string" ? addressedCommands(each, node) : addressed(each, node)];
  });
  return Object.fromEntries(entries);
}
