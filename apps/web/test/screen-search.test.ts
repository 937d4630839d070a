import type { SessionAnswer } from "@tmpm/api";
import { expect, test } from "vitest";
import { foundOnScreens, searchScreens } from "../src/state/screen-search.js";
import { sessions } from "../src/state/sessions.js";

test("a search that ends after the filter was changed shows nothing", async () => {
  sessions.value = new Map(["one", "two"].map((id) => [id, { id, state: "active" } as SessionAnswer]));
  let [filter, answer]: [string, (line: string) => void] = ["error", () => undefined];
  const isStill = (text: string) => text === filter;
  const slow = new Promise<string>((resolve) => {
    answer = resolve;
  });
  const late = searchScreens("error", { isStill, lineWith: () => slow });
  filter = "warning";
  await searchScreens("warning", { isStill, lineWith: async (wanted, id) => (id === "one" ? `a ${wanted}` : undefined) });
  answer("an error");
  await late;
  expect(foundOnScreens.value).toEqual({ text: "warning", lines: new Map([["one", "a warning"]]) });
});
