import { TmpmError } from "@tmpm/core";
import { expect, test } from "vitest";
import { afterStart } from "../src/after-start.js";

test("a failure after a start keeps its error, with effect unknown", async () => {
  const failed = new TmpmError("UNRESPONSIVE", "no answer", { hint: "Wait.", details: { pid: 1 } });
  const refuse = async () => {
    throw failed;
  };
  const expected = { code: "UNRESPONSIVE", message: "no answer", hint: "Wait.", details: { pid: 1 }, effect: "unknown", cause: failed };
  expect(failed.effect).toBe("none");
  await expect(afterStart(refuse)).rejects.toMatchObject(expected);
  expect(await afterStart(async () => 1)).toBe(1);
});
