import type { Finding } from "@tmpm/api/local";
import type { ServerInfo } from "@tmpm/tmux-driver";

/** Whether tmux was upgraded under its server. */
export async function serverVersion({ version, programVersion }: ServerInfo): Promise<readonly Finding[]> {
  if (programVersion === null || programVersion === version) return [];
  return [
    {
      name: "tmux version",
      status: "warn",
      message: `the server is tmux ${version}, the program is now ${programVersion}`,
      hint: "Sessions keep running. The next server, started after the last of them has ended, has the new version.",
    },
  ];
}
