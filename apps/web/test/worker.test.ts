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

test("a pressed notification opens the page itself, not another page below its address", async () => {
  const [opened, focused]: [string[], string[]] = [[], []];
  const listeners = new Map<string, (event: object) => void>();
  const tab = (url: string) => ({ url, postMessage: () => undefined, focus: () => focused.push(url) });
  const tabs = [tab("https://box.example/docs#x")];
  const clients = { matchAll: async () => tabs, openWindow: (url: string) => opened.push(url) };
  const registration = { scope: "https://box.example/" };
  const self = {
    registration,
    clients,
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
  };
  runInNewContext(WORKER, { self, URL, Set, String, encodeURIComponent });
  const press = async () => {
    let over: Promise<unknown> = Promise.resolve();
    const notification = { data: "s", close: () => undefined };
    listeners.get("notificationclick")?.({ notification, waitUntil: (until: Promise<unknown>) => (over = until) });
    await over;
  };
  await press();
  expect([opened, focused]).toEqual([["https://box.example/#/s/s"], []]);
  tabs.push(tab("https://box.example/#/inbox"));
  await press();
  expect([opened.length, focused]).toEqual([1, ["https://box.example/#/inbox"]]);
});
