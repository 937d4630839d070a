import { request } from "node:http";

/** The outcome of a request: a status, a connection that ended before the request was sent completely, or neither. */
export type Outcome =
  | { readonly kind: "answered"; readonly status: number; readonly text: string }
  | { readonly kind: "refused" | "unanswered"; readonly why: string };

export interface Asked {
  readonly socket: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: string;
  readonly accept?: string;
  readonly token?: string;
  /** Content type of the body; default JSON. */
  readonly type?: string;
}

/** On a separate connection. */
export function ask({ socket, method, path, body, accept, token, type = "application/json" }: Asked): Promise<Outcome> {
  return new Promise((resolve) => {
    let sent = false;
    const headers = {
      host: "localhost",
      ...(accept === undefined ? {} : { accept }),
      ...(body === undefined ? {} : { "content-type": type }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const asked = request({ socketPath: socket, method, path, headers, agent: false }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => resolve({ kind: "answered", status: response.statusCode ?? 0, text }));
      response.on("error", (error: NodeJS.ErrnoException) =>
        resolve({ kind: "unanswered", why: `${method} ${path}: cut off, ${error.code}` }),
      );
    });
    asked.on("finish", () => (sent = true));
    asked.on("error", (error: NodeJS.ErrnoException) =>
      resolve({ kind: sent ? "unanswered" : "refused", why: `${method} ${path}: ${error.code}` }),
    );
    asked.end(body);
  });
}
