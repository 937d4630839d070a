import type { FleetList, SessionList } from "@tmpm/api";
import { oneLine } from "./one-line.js";
import { promptsWait } from "./prompts-wait.js";

/** The same as for one machine, with remote sessions named by address. */
export function fleetAsList({ sessions, problems, next }: FleetList): SessionList {
  return {
    sessions: sessions.map((session) => ({ ...session, name: address(session) })),
    problems: problems.map((problem) => ({ ...problem, id: address({ node: problem.node, name: problem.id }) })),
    store: { state: "ok", message: null },
    next,
  };
}

/** Nodes that did not answer, with the age of their data, and nodes for which prompts wait; one per line. */
export function fleetNotes(list: FleetList): readonly string[] {
  return [...incompleteNotes(list), ...waitingNotes(list)];
}

function waitingNotes({ nodes }: FleetList): readonly string[] {
  return nodes.flatMap(({ node, waiting }) => {
    const kept = promptsWait(waiting, node ?? "this machine");
    return kept === null ? [] : [oneLine(`${kept}; \`tmpm nodes waiting\` lists them`)];
  });
}

function incompleteNotes({ nodes }: FleetList): readonly string[] {
  return nodes
    .filter(({ complete }) => !complete)
    .map(({ node, as_of, reason }) => {
      const shown = as_of === null ? "its sessions are unknown" : `its sessions are shown as of ${clock(as_of)}`;
      return oneLine(`incomplete: ${node ?? "this machine"} does not answer (${reason ?? "unknown reason"}); ${shown}`);
    });
}

export function clock(timestamp: string): string {
  const at = new Date(timestamp);
  const two = (count: number) => String(count).padStart(2, "0");
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The address of a session from this machine. */
export function address({ node, name }: { readonly node: string | null; readonly name: string }): string {
  return node === null ? name : `${node}:${name}`;
}
