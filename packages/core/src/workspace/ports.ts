import type { SessionPorts } from "./setup.js";

/** Number of ports for a workspace. */
export const PORTS_EACH = 10;

/** Variables with the ports, for programs in a workspace. */
export function portVariables(ports: SessionPorts | null): Readonly<Record<string, string>> {
  if (ports === null) return {};
  const named = ports.names.map((name, index) => [`TMPM_PORT_${name.toUpperCase()}`, String(ports.base + index)]);
  return { TMPM_PORT_BASE: String(ports.base), ...Object.fromEntries(named) };
}
