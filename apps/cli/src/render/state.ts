import type { SessionAnswer } from "@tmpm/api";
import { standingText } from "./standing.js";

/**
 * A session's state in a word or two: `working`, `detached/idle`, `stopped/resume_flapping`; for a program that ended by itself, with its status:
 * `ended, status 0`.
 */
export function stateText(session: SessionAnswer): string {
  const { state, status, activity, stop_cause, exit } = session;
  if (state === "stopped" && stop_cause === "unexpected" && exit !== null) return standingText(session);
  if (state === "active") return ["active", activity.state].includes(snake(status)) ? activity.state : `${snake(status)}/${activity.state}`;
  return state === "stopped" && stop_cause !== null && stop_cause !== "deliberate" ? `${state}/${stop_cause}` : state;
}

function snake(status: string): string {
  return status.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
