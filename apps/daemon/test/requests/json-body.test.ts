import { describe, expect, test } from "vitest";
import { repeatedName } from "../../src/requests/json-body.js";
import { serverFixture } from "../fixtures/server-fixture.js";

describe("a JSON body is refused unless every parser reads it the same way", () => {
  test.each([
    { what: "UTF-16 by name", type: "application/json; charset=utf-16", payload: "{}", status: 415, code: "MEDIA_TYPE_UNSUPPORTED" },
    { what: "Latin-1 by name", type: 'application/json; charset="iso-8859-1"', payload: "{}", status: 415, code: "MEDIA_TYPE_UNSUPPORTED" },
    {
      what: "bytes that are not UTF-8",
      type: "application/json",
      payload: Buffer.from('{"text":"\xff"}', "latin1"),
      status: 400,
      code: "INVALID_ARGUMENT",
    },
    { what: "a name twice", type: "application/json", payload: '{"text":"a","text":"b"}', status: 400, code: "INVALID_ARGUMENT" },
    {
      what: "a name twice, once in escapes",
      type: "application/json",
      payload: '{"text":"a","te\\u0078t":"b"}',
      status: 400,
      code: "INVALID_ARGUMENT",
    },
  ])("$what", async ({ type, payload, status, code }) => {
    const { app } = await serverFixture();
    const response = await app.inject({ method: "POST", url: "/v1/sessions/x/send", headers: { "content-type": type }, payload });
    expect([response.statusCode, response.json().error.code]).toEqual([status, code]);
  });

  test.each(["application/json", "application/json; charset=utf-8", 'application/json;charset="UTF-8"', "application/json; charset=utf8"])(
    "%s is read",
    async (type) => {
      const { app } = await serverFixture();
      const response = await app.inject({
        method: "POST",
        url: "/v1/sessions/x/send",
        headers: { "content-type": type },
        payload: '{"text":"é"}',
      });
      expect(response.json().error.code).toBe("SESSION_NOT_FOUND");
    },
  );
});

test.each([
  ["{}", null],
  ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}', null],
  ['{"a":"a","b":"{\\"b\\":1,\\"b\\":2}"}', null],
  ['{"a":["a","a"],"b":"a"}', null],
  ['{"a":1,"a":2}', "a"],
  ['{"b":[{"a":{"x":1,"y":2,"x":3}}]}', "x"],
  ['{"a\\"":1,"a\\u0022":2}', 'a"'],
])("the duplicate name in %s is %j", (json, name) => {
  expect(repeatedName(json)).toBe(name);
});
