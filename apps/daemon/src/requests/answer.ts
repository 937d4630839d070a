/** The response: kept for repeated requests, so it contains the text itself. Header names are in lower case. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const JSON_TYPE = "application/json; charset=utf-8";

export function jsonAnswer(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { "content-type": JSON_TYPE, ...headers }, body: JSON.stringify(value) };
}
