import { expect, test } from "vitest";
import { listenerSet } from "../../src/async/listener-set.js";

const microtask = () => Promise.resolve();

test("a function added twice has two independent subscriptions", () => {
  const events = listenerSet<string>();
  const heard: string[] = [];
  const hear = (event: string) => void heard.push(event);
  const first = events.add(hear);
  events.add(hear);
  events.notify("a");
  first.close();
  first.close();
  events.notify("b");
  expect(heard).toEqual(["a", "a", "b"]);
  expect(events.count()).toBe(1);
});

test("a listener removed during a call is not called", () => {
  const events = listenerSet<string>();
  const heard: string[] = [];
  events.add(() => second.close());
  const second = events.add((event) => void heard.push(event));
  events.notify("a");
  expect(heard).toEqual([]);
});

test("a first event arrives after the call, unless unsubscribed before", async () => {
  const events = listenerSet<string>();
  const heard: string[] = [];
  events.add((event) => void heard.push(event), "look");
  events.add((event) => void heard.push(`closed ${event}`), "look").close();
  expect(heard).toEqual([]);
  await microtask();
  expect(heard).toEqual(["look"]);
});

test("with later, events arrive after the call and never after clear", async () => {
  const events = listenerSet<string>({ later: true });
  const heard: string[] = [];
  events.add((event) => void heard.push(event));
  events.notify("a");
  expect(heard).toEqual([]);
  await microtask();
  events.notify("b");
  events.clear();
  await microtask();
  expect(heard).toEqual(["a"]);
});
