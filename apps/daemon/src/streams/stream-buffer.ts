const DEFAULT = 512 * 1024;
const LEAST = 64 * 1024;
const MOST = 16 * 1024 * 1024;

/** `TMPM_STREAM_BUFFER`: bytes stored per watched terminal, 65,536 to 16,777,216. Other values are ignored. */
export function streamBuffer(env: NodeJS.ProcessEnv): number {
  const bytes = Number(env.TMPM_STREAM_BUFFER ?? DEFAULT);
  return Number.isFinite(bytes) ? Math.min(MOST, Math.max(LEAST, Math.floor(bytes))) : DEFAULT;
}
