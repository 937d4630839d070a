import { type Signal, signal } from "@preact/signals";

/** A choice that survives a reload. `read` parses the stored text, which may be arbitrary. */
export function kept<T extends string>(name: string, otherwise: T, read: (value: string) => T): Signal<T> {
  const stored = load(name);
  const value = signal(stored === null ? otherwise : read(stored));
  value.subscribe((now) => store(name, now));
  return value;
}

/** Null without a value, or without storage in the browser. */
export function load(name: string): string | null {
  try {
    return localStorage.getItem(`tmpm.${name}`);
  } catch {
    return null;
  }
}

/** The names of all entries; those of other pages of the origin are not included. */
export function storedNames(): readonly string[] {
  try {
    return Object.keys(localStorage).flatMap((key) => (key.startsWith("tmpm.") ? [key.slice("tmpm.".length)] : []));
  } catch {
    return [];
  }
}

/** An empty text removes the entry. */
export function store(name: string, value: string): void {
  try {
    if (value === "") localStorage.removeItem(`tmpm.${name}`);
    else localStorage.setItem(`tmpm.${name}`, value);
  } catch {
    // Storage is unavailable or full: the page works without it.
  }
}
