import { TmpmError } from "@tmpm/core";
import { expect, test } from "vitest";
import { namedOption } from "../../src/fleet/named-option.js";

function refused(...fields: readonly string[]): TmpmError {
  const issues = fields.map((field) => ({ field, message: `not a ${field}` }));
  return new TmpmError("INVALID_ARGUMENT", "a field is wrong", { details: { part: "body", issues } });
}

test.each([
  [["label"], "NODE: not a label"],
  [["ssh.host"], "--ssh: not a ssh.host"],
  [["nats.client", "nats.url"], "--as: not a nats.client; --nats: not a nats.url"],
  [["labels.1"], '--label "Big One": not a labels.1'],
  [["labels"], "--label: not a labels"],
])("an error about %j names the options instead of the fields", (fields, message) => {
  expect(namedOption(refused(...fields), ["gpu", "Big One"])).toMatchObject({ code: "INVALID_ARGUMENT", message });
});

test("any other error is unchanged", () => {
  for (const error of [refused("wait_ms"), new TmpmError("NAME_TAKEN", "taken"), new TypeError("no")])
    expect(namedOption(error, [])).toBe(error);
});
