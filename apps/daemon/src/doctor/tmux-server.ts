import type { Finding } from "@tmpm/api/local";
import type { Answer, ServerInfo, TmuxDriver, Utf8Proof } from "@tmpm/tmux-driver";

/** Whether tmpm's own tmux server runs and answers. */
export function serverAnswers(answer: Answer<ServerInfo>, { socket, transport }: Pick<TmuxDriver, "socket" | "transport">): Finding {
  const name = "tmux server";
  switch (answer.kind) {
    case "absent":
      return { name, status: "ok", message: `not running; it starts with the first session (${socket})`, hint: null };
    case "unknown":
      if (answer.error.code === "TMUX_NOT_FOUND") return { name, status: "ok", message: "tmux is not installed", hint: null };
      if (answer.error.code === "TMUX_TOO_OLD") return { name, status: "warn", message: answer.error.message, hint: answer.error.hint };
      return { name, status: "fail", message: answer.error.message, hint: answer.error.hint };
    case "present": {
      const { version, pid } = answer.value;
      return { name, status: "ok", message: `tmux ${version}, pid ${pid}, ${answer.value.socket} (${transport})`, hint: null };
    }
  }
}

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

/** How a tmux server displays characters that need UTF-8. */
export async function showsUtf8(prove: () => Promise<Utf8Proof>): Promise<readonly Finding[]> {
  const name = "tmux UTF-8";
  const proof = await prove();
  switch (proof.kind) {
    case "shown":
      return [{ name, status: "ok", message: "a wide and a combined character were shown in the right cells", hint: null }];
    case "wrong":
      return [
        {
          name,
          status: "fail",
          message: `tmux shows ${JSON.stringify(proof.row)} in ${proof.cells} cells`,
          hint: "Install a tmux that was built with UTF-8 (utf8proc on macOS), and a UTF-8 locale, such as C.UTF-8.",
        },
      ];
    case "unproven":
      return [{ name, status: "fail", message: `tmux could not be tested: ${proof.reason}`, hint: null }];
  }
}
