import { RepoTheme, themeFromPath } from "@tmpm/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { forAll } from "../for-all.js";

describe("repository theme", () => {
  test("has four different colours, stable for a path", () => {
    forAll([fc.string()], (path) => {
      const theme = themeFromPath(path);
      expect(RepoTheme.parse(theme)).toEqual(theme);
      expect(new Set([theme.body, theme.outline, theme.accent, theme.shirt]).size).toBe(4);
      expect(themeFromPath(path)).toEqual(theme);
    });
  });

  test("differs between repositories", () => {
    const themes = Array.from({ length: 50 }, (_, index) => themeFromPath(`/home/me/repo-${index}`).body);
    expect(new Set(themes).size).toBeGreaterThan(35);
  });

  test("rejects unknown sprites and invalid colours", () => {
    const colours = { body: "#AABBCC", outline: "#000000", accent: "#FFFFFF", shirt: "#123456" };
    expect(RepoTheme.parse({ ...colours, sprite: "dragon" }).sprite).toBeUndefined();
    expect(RepoTheme.parse({ ...colours, sprite: "fish" }).sprite).toBe("fish");
    expect(RepoTheme.safeParse({ ...colours, body: "#aabbcc" }).success).toBe(false);
  });
});
