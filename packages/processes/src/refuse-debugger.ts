const FLAG = "--disable-sigusr1";

/** For a Node program that we start: Node releases that know the flag never open a debugger for a signal. */
export const REFUSING_DEBUGGER: readonly string[] = process.allowedNodeEnvironmentFlags.has(FLAG) ? [FLAG] : [];

/** To be called first in a program that runs for long. By default SIGUSR1 makes Node open a debugger on loopback that lets in every local user. */
export function refuseDebugger(): void {
  process.on("SIGUSR1", () => undefined);
}
