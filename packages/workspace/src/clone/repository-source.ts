import { TmpmError } from "@tmpm/core";
import { publicUrl } from "./remote-url.js";

/** The source of a clone: `protocols` is its only transport, `shown` contains no secret. */
export interface RepositorySource {
  readonly address: string;
  readonly protocols: "https" | "ssh" | "file";
  readonly shown: string;
}

const URL = /^(?:(https):\/\/|(ssh):\/\/|git@[\w.-]+:)/;
const SPACE_OR_CONTROL = /[\s\u0000-\u001f\u007f-\u009f]/;

/** Parses the value of `--repo`: an https, ssh or `git@host:` URL (reliability C17), or an absolute directory. @throws INVALID_ARGUMENT */
export function parseSource(text: string): RepositorySource {
  if (text.startsWith("/")) {
    if (text.includes("\0")) throw malformed(text, "a path cannot contain NUL");
    return { address: text, protocols: "file", shown: text };
  }
  const match = URL.exec(text);
  if (match === null) throw malformed(text, "it is not an https, ssh or git@host: URL or an absolute directory");
  if (text.includes("::") || SPACE_OR_CONTROL.test(text)) throw malformed(text, "it contains `::`, a space or a control character");
  const rest = text.slice(match[0].length);
  if (hostOf(match[0], rest).startsWith("-")) throw malformed(text, "a host does not begin with a dash");
  if (rest === "" || rest.startsWith("-")) throw malformed(text, "the path after the host is missing or begins with a dash");
  const shown = publicUrl(text);
  if (shown === null || shown !== text) {
    throw new TmpmError("INVALID_ARGUMENT", "the repository's URL contains a password, a query or a fragment", {
      hint: "Use a git credential helper: other users of this machine could see a password in a URL.",
      details: { field: "repo" },
    });
  }
  return { address: text, protocols: match[1] === "https" ? "https" : "ssh", shown };
}

function hostOf(prefix: string, rest: string): string {
  if (prefix.startsWith("git@")) return prefix.slice("git@".length);
  const authority = rest.split("/", 1)[0] ?? "";
  return authority.slice(authority.lastIndexOf("@") + 1);
}

function malformed(text: string, why: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(text)} is not a repository: ${why}`, { details: { field: "repo" } });
}
