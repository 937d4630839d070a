import { readFile } from "node:fs/promises";

/** The mount points of file systems, on Linux; empty elsewhere, where only a change of device shows one. */
export async function mountPoints(): Promise<readonly string[]> {
  return process.platform === "linux" ? parseMountInfo(await readFile("/proc/self/mountinfo", "utf8")) : [];
}

/** The fifth field is the path, with space, tab, LF and backslash as octal escapes (proc_pid_mountinfo(5)). */
export function parseMountInfo(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => {
    const path = line.split(" ")[4];
    return path === undefined ? [] : [path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))];
  });
}
