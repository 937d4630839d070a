import type { LaunchRequest } from "../adapter.js";

/** The arguments by which a program is told what it may do unasked. */
export function permissionOptions(flag: string, { permissions }: LaunchRequest["config"]): readonly string[] {
  if (permissions === undefined) return [];
  return flag.endsWith("=") ? [`${flag}${permissions}`] : [flag, permissions];
}
