import { signal } from "@preact/signals";

/** The daemon's version if it differs from this page's; null otherwise. */
export const otherVersion = signal<string | null>(null);

export function noteVersion(theirs: string | undefined): void {
  if (theirs !== undefined) otherVersion.value = theirs === __TMPM_VERSION__ ? null : theirs;
}
