import { ERRORS, type ErrorCode, fromErrorBody, hasCode, isTmpmError, TmpmError, toErrorBody, withEffect } from "@tmpm/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { forAll } from "./for-all.js";

const CODES = Object.keys(ERRORS).filter((code): code is ErrorCode => Object.hasOwn(ERRORS, code));
const anyCode = fc.constantFrom(...CODES);

describe("ERRORS", () => {
  test.each(Object.entries(ERRORS))("%s has a status, an exit code and a title", (code, { http, exit, title }) => {
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
    expect(http === 200 ? code : http).toSatisfy(
      (value: string | number) => value === "UNCONFIRMED" || (Number(value) >= 400 && Number(value) <= 599),
    );
    expect([1, 2, 3, 4, 5, 6, 7]).toContain(exit);
    expect(title).toMatch(/^\S.*[^.\s]$/);
  });

  test("reserves exit code 5 for the caller's timeout and 7 for unconfirmed effects", () => {
    expect(CODES.filter((code) => ERRORS[code].exit === 5)).toEqual(["TIMEOUT"]);
    expect(CODES.filter((code) => ERRORS[code].exit === 7)).toEqual(["UNCONFIRMED"]);
  });
});

describe("TmpmError", () => {
  test("round-trips through its body and JSON", () => {
    const text = fc.string({ unit: "grapheme" });
    forAll(
      [anyCode, text, fc.option(text), fc.constantFrom("none" as const, "unknown" as const), fc.dictionary(text, fc.jsonValue())],
      (code, message, hint, effect, details) => {
        const body = toErrorBody(new TmpmError(code, message, { effect, details, ...(hint === null ? {} : { hint }) }));
        expect(toErrorBody(fromErrorBody(body))).toEqual(body);
        expect(body).toEqual({ code, message, hint, effect, details });
      },
    );
  });

  test("keeps all but its effect when that is changed, and any other value is itself", () => {
    const error = new TmpmError("NAME_TAKEN", "demo is taken", { hint: "Choose another.", details: { name: "demo" } });
    expect(toErrorBody(withEffect(error, "unknown"))).toEqual({ ...toErrorBody(error), effect: "unknown" });
    expect(withEffect(error, "unknown").cause).toBe(error);
    expect(withEffect(error, "none")).toBe(error);
    const other = new TypeError("a fault");
    expect(withEffect(other, "unknown")).toBe(other);
  });

  test("has no effect, hint or details by default", () => {
    const error = new TmpmError("NAME_TAKEN", "demo is taken");
    expect(toErrorBody(error)).toEqual({ code: "NAME_TAKEN", message: "demo is taken", hint: null, effect: "none", details: {} });
    expect(error).toBeInstanceOf(Error);
    expect(error.cause).toBeUndefined();
    expect(String(error)).toBe("TmpmError: demo is taken");
  });

  test("keeps its cause and omits it from the body", () => {
    const cause = new Error("EACCES");
    const error = new TmpmError("STORE_READ_ONLY", "no", { cause });
    expect(error.cause).toBe(cause);
    expect(JSON.stringify(toErrorBody(error))).not.toContain("EACCES");
  });

  test("becomes INTERNAL with the original code when from a newer version", () => {
    const body = { ...toErrorBody(new TmpmError("INTERNAL", "later")), code: "FROM_THE_FUTURE", details: { a: 1 } };
    const error = fromErrorBody(JSON.parse(JSON.stringify(body)));
    expect(error).toMatchObject({ code: "INTERNAL", message: "later", details: { a: 1, unknown_code: "FROM_THE_FUTURE" } });
  });

  test.each(["toString", "constructor", "__proto__"])("does not treat %s as a known code", (code) => {
    expect(fromErrorBody(JSON.parse(JSON.stringify({ code, message: "m", hint: null, effect: "none", details: {} }))).code).toBe(
      "INTERNAL",
    );
  });

  test("may have happened when its effect is unknown", () => {
    expect(fromErrorBody(JSON.parse('{"code":"TIMEOUT","message":"m","hint":null,"effect":"perhaps","details":{}}')).effect).toBe(
      "unknown",
    );
  });
});

test("hasCode matches only a TmpmError with one of the codes", () => {
  const error: unknown = new TmpmError("PANE_GONE", "gone");
  expect(hasCode(error, "PANE_DEAD", "PANE_GONE")).toBe(true);
  expect(hasCode(error, "PANE_DEAD")).toBe(false);
  expect(hasCode({ code: "PANE_GONE" }, "PANE_GONE")).toBe(false);
  expect(isTmpmError(new Error("no"))).toBe(false);
});

test("recognizes an error from another copy of the package", () => {
  const other = class extends Error {
    override readonly name = "TmpmError";
    readonly code = "PANE_GONE";
  };
  expect(hasCode(new other("gone"), "PANE_GONE")).toBe(true);
});
