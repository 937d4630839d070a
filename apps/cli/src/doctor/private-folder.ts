import { accessSync, chmodSync, constants } from "node:fs";
import { type FileFacts, faultOf, lstatFacts } from "@tmpm/api/local";
import { hasErrno } from "@tmpm/core/errno";
import { fail, type LocalFinding, ok } from "./local-finding.js";

export interface Folder {
  readonly name: string;
  readonly path: string;
  readonly uid: number;
}

/** Whether one of tmpm's folders is private and writable; a missing one is created when needed. */
export function privateFolder({ name, path, uid }: Folder): LocalFinding {
  const facts = lstatFacts(path);
  if (facts === null) return ok(name, `${path} (created when needed)`);
  const fault = faultOf(facts, uid);
  if (fault !== null) return notPrivate({ name, path, uid }, { fault, facts });
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return ok(name, path);
  } catch (error) {
    if (!hasErrno(error, "EACCES", "EROFS")) throw error;
    return fail(name, { message: `${path} is not writable`, hint: "Make it writable for you, or choose another with TMPM_HOME." });
  }
}

function notPrivate({ name, path, uid }: Folder, { fault, facts }: { readonly fault: string; readonly facts: FileFacts }): LocalFinding {
  const message = `${path} ${fault}`;
  if (facts.kind !== "directory" || facts.uid !== uid)
    return fail(name, { message, hint: "Move it away, or choose another with TMPM_HOME or TMPM_SOCKET." });
  return fail(name, {
    message,
    hint: `chmod 700 ${path}`,
    cure: async () => {
      chmodSync(path, 0o700);
      return `removed other users' access to ${path} (mode 700)`;
    },
  });
}
