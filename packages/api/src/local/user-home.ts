import { userInfo } from "node:os";

/** The home folder of this process's user according to the system, whatever `HOME` says; `/` for a user that the system does not know, as in a container that runs under any number. */
export function userHome(): string {
  try {
    return userInfo().homedir || "/";
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_SYSTEM_ERROR") return "/";
    throw error;
  }
}
