/** A connection that is silent for 45 seconds is closed. */
const SILENCE = ["-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=3"];

/** For a link: no user can answer a prompt. */
export const SSH_OPTIONS: readonly string[] = ["-T", "-o", "BatchMode=yes", ...SILENCE, "-o", "ConnectTimeout=15"];

/** For a terminal, whose user may answer. */
export const SSH_TERMINAL_OPTIONS: readonly string[] = ["-t", ...SILENCE];
