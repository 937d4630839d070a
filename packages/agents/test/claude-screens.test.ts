import { describe, expect, test } from "vitest";
import { claude } from "../src/index.js";
import { recordedScreens } from "./recorded-screens.js";

describe("claude reads its recorded screens", () => {
  for (const { name, state, observation } of recordedScreens("claude-2.1.197")) {
    test(`${name} is ${state}`, () => {
      expect(claude.read(observation)).toMatchObject({ state });
    });
  }
});
