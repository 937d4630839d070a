import type { Finding } from "@tmpm/api/local";
import type { ServerInfo } from "@tmpm/tmux-driver";

/** Whether tmux was upgraded under its server. */
export async function serverVersion({ version, programVersion }: ServerInfo): Promise<readonly Finding[]> {
  if (programVersion === null || programVersion === version) return [];
  return [
    {
      name: "tmux version",
      status: "warn",
      message: `the server is tmux ${version}, the program is ${programVersion} by now`,
      hint: "Sessions run on. The server that starts after the last of them has ended is the new one.",
    },
  ];
}
