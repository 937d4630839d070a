import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";

const WORKER = readFileSync(new URL("../public/sw.js", import.meta.url), "utf8");

interface Shown {
  readonly tag: string;
  readonly renotify: boolean;
  readonly requireInteraction: boolean;
}

/** Each notification that the worker shows for these pushes. */
function shownFor(pushes: readonly object[]): readonly Shown[] {
  const shown: Shown[] = [];
  const listeners = new Map<string, (event: object) => void>();
  const registration = { scope: "https://box.example/", showNotification: (_: string, options: Shown) => void shown.push(options) };
  const self = { registration, addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener) };
  runInNewContext(WORKER, { self, URL, Set, String });
  for (const push of pushes) listeners.get("push")?.({ data: { json: () => push }, waitUntil: () => undefined });
  return shown;
}

test("each notification that needs the user alerts, also where it replaces one of the same session", () => {
  const kinds = ["needs_you", "failed", "finished", "test"];
  const shown = shownFor(kinds.map((kind) => ({ kind, session_id: "s", title: "a title" })));
  expect(shown.map(({ tag, renotify }) => [tag, renotify])).toEqual([
    ["s", true],
    ["s", true],
    ["s", false],
    ["s", true],
  ]);
});
