import { currentToken } from "@tmpm/api/local";
import { LABEL_PATTERN } from "@tmpm/fleet";
import { usageError } from "../parse/usage-error.js";

/** Whom a node answers, each with the token that speaks for it; null where it has the user's own rights. */
export type Allowed = ReadonlyMap<string, string | null>;

/** `NAME` or `NAME=FILE` of a token. @throws INVALID_ARGUMENT, UNSAFE_PATH, FILE_NOT_FOUND */
export function allowedClients(words: readonly string[]): Allowed {
  if (words.length === 0)
    throw usageError("whom the node answers is not said", "--client NAME, as the NATS server's configuration calls it.");
  return new Map(
    words.map((word) => {
      const [name = "", ...file] = word.split("=");
      if (file.length > 0 && file.join("=") === "") throw usageError(`${word} names no token file`, "--client NAME=FILE");
      return [natsName(name), file.length === 0 ? null : currentToken({ TMPM_TOKEN_FILE: file.join("=") })];
    }),
  );
}

export function nodeName(name: string | undefined): string {
  if (name === undefined)
    throw usageError("what this machine is called is not said", "--as NAME, as the NATS server's configuration calls it.");
  return natsName(name);
}

/** A part of a subject. */
function natsName(name: string): string {
  if (LABEL_PATTERN.test(name)) return name;
  throw usageError(`${JSON.stringify(name)} is not a name`, "Use lower-case letters, digits and -, at most 32.");
}
