import { type PaneIdentity, TmpmError } from "@tmpm/core";
import { commandText } from "../transport/argument.js";
import type { Command } from "../transport/channel.js";

/** Whether tmux would type the pane's keys into the other panes of its window too. */
const SYNCHRONIZED = "#{?pane_synchronized,#{!=:#{window_panes},1},0}";

const FACTS = `#{pid} #{start_time} #{?@tmpm_id,1,0} #{pane_dead} #{pane_in_mode} #{pane_input_off} ${SYNCHRONIZED} #{pane_id}`;

/**
 * Requirements for a pane besides its identity: `any` for killing, `input` for typing, `own` (in the tmux session created for it), or for
 * adoption without another session's tag.
 */
export type Demand = "any" | "input" | "own" | { readonly adoptAs: string };

/** Whether the pane is in the tmux session created for it, not in a user's. */
export const OWN_SESSION = "#{==:#{@tmpm_owner},#{@tmpm_id}}";

/** The last output of a guarded command: one of two words that no program can know. */
export interface GuardWords {
  readonly done: string;
  readonly refused: string;
}

export function guardWords(nonce: string): GuardWords {
  return { done: `tmpm-${nonce}-done`, refused: `tmpm-${nonce}-refused` };
}

/**
 * One command that runs `commands` only while the pane is the one of the identity, tagged by us and meets the demand, and reports which.
 * The test and the effect are one step of the server: a paste into a dead pane would crash tmux 3.2a to 3.3a.
 */
export function guarded(
  identity: PaneIdentity,
  effect: {
    readonly demand: Demand;
    readonly commands: readonly Command[];
    readonly otherwise?: readonly Command[];
    readonly words: GuardWords;
  },
): Command {
  const done: Command = ["display-message", "-p", effect.words.done];
  const refused: Command = ["display-message", "-p", "-t", identity.pane_id, `${effect.words.refused} ${FACTS}`];
  return [
    "if-shell",
    "-F",
    "-t",
    identity.pane_id,
    guardFormat(identity, effect.demand),
    commandText([...effect.commands, done]),
    commandText([...(effect.otherwise ?? []), refused]),
  ];
}

/** One comparison of all facts, which costs tmux a fraction of separate ones. The wanted values contain no comma. */
export function guardFormat(identity: PaneIdentity, demand: Demand): string {
  const [facts, wanted] = demanded(demand);
  const { server_pid, server_start, pane_id } = identity;
  return `#{==:#{pid} #{start_time} #{pane_id} ${facts},${server_pid} ${server_start} ${pane_id} ${wanted}}`;
}

/** Facts besides the identity, with their required values. */
function demanded(demand: Demand): readonly [string, string] {
  if (typeof demand === "object") return [`#{||:#{==:#{@tmpm_id},},#{==:#{@tmpm_id},${demand.adoptAs}}}`, "1"];
  const tagged = "#{!=:#{@tmpm_id},}";
  if (demand === "own") return [`${tagged} ${OWN_SESSION}`, "1 1"];
  return demand === "any" ? [tagged, "1"] : [`${tagged} #{pane_dead} #{pane_in_mode} #{pane_input_off} ${SYNCHRONIZED}`, "1 0 0 0 0"];
}

/** Parses the output of a guarded command. @throws PANE_GONE, PANE_FOREIGN, PANE_DEAD, PANE_IN_MODE, TMUX_FAILED */
export function requireDone(
  output: string,
  { identity, demand, words }: { readonly identity: PaneIdentity; readonly demand: Demand; readonly words: GuardWords },
): void {
  const lines = output.split("\n");
  if (lines.includes(words.done)) return;
  const facts = lines.find((line) => line.startsWith(`${words.refused} `));
  if (facts === undefined) {
    throw new TmpmError("TMUX_FAILED", "tmux did not report the command's result", { effect: "unknown" });
  }
  const error = refusedBecause(facts, identity);
  if (demand === "any" || demand === "input" || error.code === "PANE_GONE" || error.code === "PANE_FOREIGN") throw error;
  if (demand === "own") throw notOwnSession(identity);
  throw new TmpmError("PANE_FOREIGN", `pane ${identity.pane_id} already belongs to another session`, {
    details: { pane_id: identity.pane_id },
  });
}

function refusedBecause(facts: string, identity: PaneIdentity): TmpmError {
  const [, pid, start, tagged, dead, mode, inputOff, synchronized, pane] = facts.split(" ");
  const details = { pane_id: identity.pane_id };
  if (pid !== String(identity.server_pid) || start !== String(identity.server_start)) return foreignServer(identity);
  if (pane !== identity.pane_id) return paneGone(identity);
  if (tagged !== "1") return new TmpmError("PANE_FOREIGN", `pane ${pane} is not one that tmpm created`, { details });
  if (dead !== "0") return new TmpmError("PANE_DEAD", `the program in pane ${pane} has ended`, { details });
  if (mode !== "0") {
    return new TmpmError("PANE_IN_MODE", `a user is scrolling in pane ${pane}`, { details, hint: "Press q there, or try again later." });
  }
  if (inputOff !== "0") return new TmpmError("TMUX_FAILED", `input to pane ${pane} is switched off in tmux`, { details });
  if (synchronized !== "0") {
    return new TmpmError("TMUX_FAILED", `input to pane ${pane} would also go to the other panes of its window (synchronize-panes)`, {
      details,
      hint: "Switch it off there: `set-option -w synchronize-panes off`.",
    });
  }
  return new TmpmError("TMUX_FAILED", `tmux refused the command in pane ${pane} without a reason`, { details });
}

export function paneGone(identity: PaneIdentity): TmpmError {
  return new TmpmError("PANE_GONE", `pane ${identity.pane_id} no longer exists`, { details: { pane_id: identity.pane_id } });
}

export function notOwnSession(identity: PaneIdentity): TmpmError {
  return new TmpmError("PANE_FOREIGN", `pane ${identity.pane_id} is in a tmux session that tmpm did not create`, {
    details: { pane_id: identity.pane_id },
  });
}

export function foreignServer(identity: PaneIdentity): TmpmError {
  return new TmpmError("PANE_FOREIGN", `another tmux server runs where pane ${identity.pane_id} was`, {
    details: { pane_id: identity.pane_id, server_pid: identity.server_pid },
  });
}
