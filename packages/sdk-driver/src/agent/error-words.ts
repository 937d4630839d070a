import { RequestError } from "@agentclientprotocol/sdk";

const MOST = 500;

/** What an agent says of an error: its message, and behind it what JSON-RPC 2.0 has in `data`, as agents write an error's own words there. At most 500 characters of that. */
export function errorWords(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const details = error instanceof RequestError ? detailsOf(error.data) : null;
  return details === null || message.includes(details) ? message : `${message}: ${details.slice(0, MOST)}`;
}

function detailsOf(data: unknown): string | null {
  if (typeof data === "string") return data === "" ? null : data;
  if (typeof data !== "object" || data === null) return null;
  return "details" in data ? detailsOf(data.details) : "message" in data ? detailsOf(data.message) : null;
}
