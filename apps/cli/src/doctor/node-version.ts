import { reaches } from "../system/programs.js";
import { fail, type LocalFinding, ok } from "./local-finding.js";

/** Whether tmpm supports this Node version. */
export async function nodeVersion(version: string = process.versions.node): Promise<readonly LocalFinding[]> {
  if (reaches(version, "20.19") === true) return [ok("node", version)];
  return [fail("node", { message: `${version} is too old`, hint: "Install Node 20.19 or newer from https://nodejs.org." })];
}
