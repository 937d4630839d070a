/** Launch instructions for a holder; in a file that only its user can read, until the holder has read it. */
export interface Launch {
  readonly sessionId: string;
  readonly name: string;
  readonly launch: unknown;
}

/** @throws SyntaxError, TypeError for invalid instructions */
export function parseLaunch(text: string): Launch {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || !("sessionId" in value) || !("name" in value) || !("launch" in value)) {
    throw new TypeError("no launch file of a holder");
  }
  return { sessionId: String(value.sessionId), name: String(value.name), launch: value.launch };
}
