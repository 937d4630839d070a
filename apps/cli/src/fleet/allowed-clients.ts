import { currentToken } from "@tmpm/api/local";
import { NODE_LABEL_PATTERN } from "@tmpm/core";
import { usageError } from "../parse/usage-error.js";

/** The clients of a node, each with the token for its rights; null for the user's own rights. */
export type Allowed = ReadonlyMap<string, string | null>;

/** `NAME` or `NAME=FILE` of a token. @throws INVALID_ARGUMENT, UNSAFE_PATH, FILE_NOT_FOUND */
export function allowedClients(words: readonly string[]): Allowed {
  if (words.length === 0)
    throw usageError("the clients of the node are missing", "Give --client NAME, as in the NATS server's configuration.");
  return new Map(
    words.map((word) => {
      const [name = "", ...file] = word.split("=");
      if (file.length > 0 && file.join("=") === "") throw usageError(`${word} does not name a token file`, "--client NAME=FILE");
      return [natsName(name), file.length === 0 ? null : currentToken({ TMPM_TOKEN_FILE: file.join("=") })];
    }),
  );
}

export function nodeName(name: string | undefined): string {
  if (name === undefined) throw usageError("the name of this machine is missing", "Give --as NAME, as in the NATS server's configuration.");
  return natsName(name);
}

/** A part of a subject. */
function natsName(name: string): string {
  if (NODE_LABEL_PATTERN.test(name)) return name;
  throw usageError(`${JSON.stringify(name)} is not a name`, "Use lower-case letters, digits and -, at most 32.");
}
