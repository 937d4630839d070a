import { runProgram } from "../files/run-program.js";
import { type ForgeAddress, forgeAddress } from "./forge-address.js";

const SSH_MS = 3_000;
const SSH_URL = /^ssh:\/\/|^[^/]*:(?!\/\/)/;

/**
 * The repository in a remote's URL, at the host that ssh connects to for a name of the user's configuration (`Host` in `ssh_config`). The
 * name itself counts when ssh does not answer in time.
 */
export async function resolvedAddress(url: string, env: Readonly<Record<string, string | undefined>>): Promise<ForgeAddress | null> {
  const address = forgeAddress(url);
  if (address === null || !SSH_URL.test(url)) return address;
  const end = await runProgram({ argv: ["ssh", "-G", "--", address.host], env, timeoutMs: SSH_MS });
  const host = end.kind === "ended" && end.status === 0 ? /^hostname (.+)$/m.exec(end.stdout)?.[1] : undefined;
  return host === undefined ? address : (forgeAddress(`ssh://${host}/${address.owner}/${address.repository}`) ?? address);
}
