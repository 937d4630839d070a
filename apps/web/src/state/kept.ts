import { type Signal, signal } from "@preact/signals";

/** A choice that survives a reload. `read` makes a value of what is stored, which may be anything. */
export function kept<T extends string>(name: string, otherwise: T, read: (value: string) => T): Signal<T> {
  const stored = load(name);
  const value = signal(stored === null ? otherwise : read(stored));
  value.subscribe((now) => store(name, now));
  return value;
}

/** Null where there is nothing, or where the browser keeps nothing for pages. */
export function load(name: string): string | null {
  try {
    return localStorage.getItem(`tmpm.${name}`);
  } catch {
    return null;
  }
}

/** An empty text is forgotten. */
export function store(name: string, value: string): void {
  try {
    if (value === "") localStorage.removeItem(`tmpm.${name}`);
    else localStorage.setItem(`tmpm.${name}`, value);
  } catch {
    // A browser that keeps nothing for pages, or has no room: the page works without.
  }
}
