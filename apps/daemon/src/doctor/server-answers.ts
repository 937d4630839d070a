import type { Finding } from "@tmpm/api/local";
import type { Answer, ServerInfo, TmuxDriver } from "@tmpm/tmux-driver";

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
