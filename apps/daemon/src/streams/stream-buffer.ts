const DEFAULT = 512 * 1024;
const LEAST = 64 * 1024;
const MOST = 16 * 1024 * 1024;

/** `TMPM_STREAM_BUFFER`: bytes that are kept of each watched terminal, 65,536 to 16,777,216. What is not a number is as if it were not there. */
export function streamBuffer(env: NodeJS.ProcessEnv): number {
  const bytes = Number(env.TMPM_STREAM_BUFFER ?? DEFAULT);
  return Number.isFinite(bytes) ? Math.min(MOST, Math.max(LEAST, Math.floor(bytes))) : DEFAULT;
}
