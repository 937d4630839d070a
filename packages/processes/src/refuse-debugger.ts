const FLAG = "--disable-sigusr1";

/** For a Node program that we start: Node releases that support the flag never open a debugger on a signal. */
export const REFUSING_DEBUGGER: readonly string[] = process.allowedNodeEnvironmentFlags.has(FLAG) ? [FLAG] : [];

/**
 * To be called first in a long-running program. By default SIGUSR1 makes Node open a debugger on loopback, which every local user can use.
 */
export function refuseDebugger(): void {
  process.on("SIGUSR1", () => undefined);
}
