import { RequestError } from "@agentclientprotocol/sdk";

const MOST = 500;

/**
 * The text of an agent's error: its message, followed by JSON-RPC 2.0 `data`, in which agents put the original error's text. At most 500
 * characters of that.
 */
export function errorWords(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const details = error instanceof RequestError ? detailsOf(error.data) : null;
  return details === null || message.includes(details) ? message : `${message}: ${details.slice(0, MOST)}`;
}

function detailsOf(data: unknown): string | null {
  if (typeof data === "string") return data === "" ? null : data;
  if (typeof data !== "object" || data === null) return null;
  if ("details" in data) return detailsOf(data.details);
  return "message" in data ? detailsOf(data.message) : null;
}
