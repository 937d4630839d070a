import type { SessionAnswer } from "@tmpm/api";

/** A session's state in a word or two: `working`, `detached/idle`, `stopped/unexpected`. */
export function stateText({ state, status, activity, stop_cause }: SessionAnswer): string {
  if (state === "active") return ["active", activity.state].includes(snake(status)) ? activity.state : `${snake(status)}/${activity.state}`;
  return state === "stopped" && stop_cause !== null && stop_cause !== "deliberate" ? `${state}/${stop_cause}` : state;
}

function snake(status: string): string {
  return status.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
