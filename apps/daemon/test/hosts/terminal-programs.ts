import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { hasErrno } from "@tmpm/core";
import type { AnyPrograms, TerminalPrograms } from "@tmpm/host/contract";

/**
 * The programs of the hosts' contract for a host with terminals. They write their input to the folder. Shell scripts, because a shell starts ten times
 * faster than Node.
 */
export function terminalPrograms(folder: string): AnyPrograms & TerminalPrograms {
  const script = (text: string, ...args: readonly string[]) => ["/bin/sh", "-c", text, "sh", ...args] as const;
  return {
    waiting: () => script("exec sleep 1000"),
    exit: (status) => script('sleep 0.2; exit "$1"', String(status)),
    stubborn: () => script("trap '' HUP; sleep 1000 & while :; do sleep 1000; done"),
    recorder: ({ framed }) =>
      script(`stty raw -echo; printf '${framed ? "\\033[?2004h" : ""}ready'; exec cat > "$1/$TMPM_SESSION_ID.received"`, folder),
    lines: (count) => script('i=1; while [ $i -le "$1" ]; do echo "line $i"; i=$((i+1)); done; exec sleep 1000', String(count)),
    report: (words) => script('for word in "$@" "$(pwd)" "$CONTRACT_VALUE"; do printf "<%s>\\n" "$word"; done; exec sleep 1000', ...words),
    lastWords: (status) => script('echo "last words"; sleep 0.2; exit "$1"', String(status)),
  };
}

/** The recorded input of the session. */
export async function received(folder: string, sessionId: string): Promise<string> {
  try {
    return await readFile(join(folder, `${sessionId}.received`), "utf8");
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return "";
    throw error;
  }
}
