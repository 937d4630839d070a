import { userInfo } from "node:os";

/**
 * The home folder of this process's user according to the system, regardless of `HOME`; `/` for a user unknown to the system, as in a container with an
 * arbitrary user id.
 */
export function userHome(): string {
  try {
    return userInfo().homedir || "/";
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_SYSTEM_ERROR") return "/";
    throw error;
  }
}
