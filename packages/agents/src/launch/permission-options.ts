import type { LaunchRequest } from "../adapter.js";

/** The arguments for a program's permission mode. */
export function permissionOptions(flag: string, { permissions }: LaunchRequest["config"]): readonly string[] {
  if (permissions === undefined) return [];
  return flag.endsWith("=") ? [`${flag}${permissions}`] : [flag, permissions];
}
