import { signal } from "@preact/signals";

/** The daemon takes this browser's cookie no longer, or it has none. */
export const isLoggedOut = signal(false);

export function noteLoggedOut(): void {
  isLoggedOut.value = true;
}
