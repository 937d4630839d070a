import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/**
 * The child that `start` spawned, once the system has started it. Node throws some of the system's errors (ENOMEM, E2BIG), reports others
 * later, and then may have created no pipes. @throws the system's error
 */
export async function begun<C extends ChildProcess>(start: () => C): Promise<C> {
  const child = start();
  if (child.pid !== undefined) return child;
  const [error]: readonly unknown[] = await once(child, "error");
  throw error;
}
