import { describe, expect, test } from "vitest";
import { publicUrl } from "../src/index.js";

describe("remote URL", () => {
  test.each([
    ["https://example.com/a/b.git", "https://example.com/a/b.git"],
    ["https://user@example.com/a/b.git", "https://example.com/a/b.git"],
    ["https://user:token@example.com:8443/a/b.git", "https://example.com:8443/a/b.git"],
    ["https://token:x@y@example.com/a", "https://example.com/a"],
    ["http://[::1]:80/a", "http://[::1]:80/a"],
    ["https://example.com/@scope/b?private_token=s#s", "https://example.com/@scope/b"],
    ["ssh://git@example.com:22/a/b.git", "ssh://git@example.com:22/a/b.git"],
    ["ssh://git:secret@example.com/a", "ssh://git@example.com/a"],
    ["git@example.com:a/b.git", "git@example.com:a/b.git"],
    ["example.com:a/b.git", "example.com:a/b.git"],
    ["file:///srv/a.git", "file:///srv/a.git"],
    ["/srv/a.git", "/srv/a.git"],
    ["../a.git", "../a.git"],
  ])("shows %s as %s", (url, shown) => {
    expect(publicUrl(url)).toBe(shown);
  });

  test.each([
    "https://user:pa/ss@example.com/a",
    "ext::sh -c secret",
    "foo::https://user:secret@example.com",
    "https:///a",
    "odd\u001b[31m",
    "",
    "a secret word",
  ])("does not show %j", (url) => {
    expect(publicUrl(url)).toBeNull();
  });
});
