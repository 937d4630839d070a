import { watch } from "node:fs";

export interface ChangeListener {
  /** Idempotent. */
  close(): void;
}

/** Calls back once, at the next change of a file; null where the system does not report changes, or for a missing file. */
export function atChange(path: string, changed: () => void): ChangeListener | null {
  try {
    const watcher = watch(path, { persistent: false });
    const heard = () => {
      watcher.close();
      changed();
    };
    return watcher.once("change", heard).once("error", heard);
  } catch (error) {
    // For example when the limit of watched files is reached.
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}
