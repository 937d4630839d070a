import { signal } from "@preact/signals";

/** The daemon's version, where it is another one than this page was built from; null when they agree. */
export const otherVersion = signal<string | null>(null);

export function noteVersion(theirs: string | undefined): void {
  if (theirs !== undefined) otherVersion.value = theirs === __TMPM_VERSION__ ? null : theirs;
}
