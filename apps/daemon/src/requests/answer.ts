/** The response as it is stored for repeated requests, so it contains the text itself. Header names are in lower case. */
export interface Answer extends Omit<Response, "body"> {
  readonly body: string;
}

/** The response as it is sent. */
export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

const WRITTEN: unique symbol = Symbol("written");

/** A value that is already JSON, so that unchanged data is not serialized again. */
export interface Written {
  readonly json: Buffer;
  /** Its validator; null without one. */
  readonly etag: string | null;
  readonly [WRITTEN]: true;
}

export function written(json: Buffer, etag: string | null): Written {
  return { json, etag, [WRITTEN]: true };
}

export function isWritten(value: unknown): value is Written {
  return typeof value === "object" && value !== null && WRITTEN in value;
}

export const JSON_TYPE = "application/json; charset=utf-8";
export const JSON_HEADERS = { "content-type": JSON_TYPE } as const;

export function jsonAnswer(status: number, value: unknown, headers: Readonly<Record<string, string>> = JSON_HEADERS): Answer {
  return { status, headers: headers === JSON_HEADERS ? headers : { ...JSON_HEADERS, ...headers }, body: JSON.stringify(value) };
}

/** A handler's value as the body. */
export function answerOf(status: number, value: unknown): Response {
  return isWritten(value) ? { status, headers: JSON_HEADERS, body: value.json } : jsonAnswer(status, value);
}

export function kept({ body, ...rest }: Response): Answer {
  return { ...rest, body: typeof body === "string" ? body : body.toString() };
}

const LONG_BODY = 16 * 1024;

/** Encodes a long text once, instead of once for its length and once for its bytes. */
export function bytesOf(body: string | Buffer): string | Buffer {
  return typeof body === "string" && body.length > LONG_BODY ? Buffer.from(body) : body;
}
