import { createHash } from "node:crypto";

/** The upper 16 bits of a mark, so that no limit set by another program looks like one. */
const OURS = 0x7470n;

/**
 * The session of a program as a soft limit of file locks. Linux has ignored this limit since 2.4.25 (getrlimit(2)), but every process inherits it, regardless
 * of its parent, its terminal, its files and its environment, and every user can read it in `/proc/PID/limits`.
 */
export function sessionMark(sessionId: string): string {
  const half = createHash("sha256").update(sessionId).digest("hex").slice(0, 12);
  return String((OURS << 48n) | BigInt(`0x${half}`));
}

/** The mark in a process's `/proc/PID/limits`; null without one of ours. */
export function markOf(limits: string): string | null {
  const [, soft] = /^Max file locks\s+(\d+)/m.exec(limits) ?? [];
  return soft !== undefined && BigInt(soft) >> 48n === OURS ? soft : null;
}

/**
 * A line of a POSIX shell that marks all programs that it runs afterwards; one without effect if the mark could not be read. `-w` in dash
 * and busybox, `-x` in bash and ksh.
 */
export function markingScript(sessionId: string, platform: NodeJS.Platform = process.platform): string {
  const mark = sessionMark(sessionId);
  return platform === "linux" ? `ulimit -S -w ${mark} 2>/dev/null || ulimit -S -x ${mark} 2>/dev/null || :` : ":";
}
