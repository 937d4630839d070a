import { expect, test } from "vitest";
import { inOrder } from "../src/state/in-order.js";

test("keys are sent one request after the other, and those added meanwhile together", async () => {
  const sent: (readonly string[])[] = [];
  const open: (() => void)[] = [];
  const press = inOrder<string>((keys) => {
    sent.push(keys);
    return new Promise((resolve) => open.push(resolve));
  });
  const all = ["Up", "Up", "Enter"].map(press);
  expect(sent).toEqual([["Up"]]);
  open.shift()?.();
  await expect.poll(() => sent).toEqual([["Up"], ["Up", "Enter"]]);
  open.shift()?.();
  await Promise.all(all);
  void press("Tab");
  expect(sent.at(-1)).toEqual(["Tab"]);
});

test("after a failure, which is reported once, no waiting key is sent", async () => {
  const sent: (readonly string[])[] = [];
  const press = inOrder<string>(async (keys) => {
    sent.push(keys);
    if (keys.includes("Down")) throw new Error("refused");
  });
  const outcomes = await Promise.allSettled(["Down", "Enter"].map(press));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(sent).toEqual([["Down"]]);
  await press("Up");
  expect(sent).toEqual([["Down"], ["Up"]]);
});
