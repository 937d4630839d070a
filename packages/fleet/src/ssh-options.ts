/** No user can answer a prompt, and a connection that is silent for 45 seconds is closed. */
export const SSH_OPTIONS: readonly string[] = [
  "-T",
  ...["-o", "BatchMode=yes"],
  ...["-o", "ServerAliveInterval=15"],
  ...["-o", "ServerAliveCountMax=3"],
  ...["-o", "ConnectTimeout=15"],
];
