import { signal } from "@preact/signals";

/** The browser has no valid cookie. */
export const isLoggedOut = signal(false);

export function noteLoggedOut(): void {
  isLoggedOut.value = true;
}
