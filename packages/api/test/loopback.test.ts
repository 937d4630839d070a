import { expect, test } from "vitest";
import { isLoopback, isProtected } from "../src/local/index.js";

test.each([
  ["localhost", true],
  ["a.localhost", true],
  ["127.0.0.1", true],
  ["127.9.9.9", true],
  ["[::1]", true],
  ["::1", true],
  ["127.example", false],
  ["127.0.0.1.example", false],
  ["localhost.example", false],
  ["nolocalhost", false],
  ["128.0.0.1", false],
  ["[::2]", false],
  ["", false],
])("%j is this machine: %j", (host, local) => {
  expect(isLoopback(host)).toBe(local);
});

test.each([
  ["https://example.org", true],
  ["http://example.org", false],
  ["http://a.localhost:7777", true],
  ["ftp://localhost", false],
])("data sent to %s is encrypted or stays on this machine: %j", (url, kept) => {
  expect(isProtected(new URL(url))).toBe(kept);
});
