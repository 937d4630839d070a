import { lstat } from "node:fs/promises";

/** Device and inode in decimal, since they exceed JSON's exact integers. */
export async function identityOf(path: string): Promise<{ readonly device: string; readonly inode: string }> {
  const { dev, ino } = await lstat(path, { bigint: true });
  return { device: String(dev), inode: String(ino) };
}
