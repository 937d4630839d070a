import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answering, errorAnswer } from "../fixtures/answering.js";

const listed = {
  ...{ id: "id-1", name: "wall", kind: "bearer", scope: "observer" },
  ...{ created_at: "2026-01-01T00:00:00Z", expires_at: null, last_used_at: null },
};
const SECRET = `tmpm_${"x".repeat(43)}`;
const issued = { status: 201, body: { ...listed, secret: SECRET } };

describe("tmpm token", () => {
  test("create prints only the secret, for scripts", async () => {
    await using daemon = await answering(() => issued);
    expect(await daemon.tmpm("token", "create", "--scope", "observer", "--name", "wall", "--expires", "30d")).toEqual({
      exit: 0,
      stdout: `${SECRET}\n`,
      stderr: "tmpm: token wall (observer); it is shown only once\n",
    });
    expect(daemon.asked).toEqual([
      { method: "POST", url: "/v1/tokens", body: { scope: "observer", name: "wall", expires_ms: 2_592_000_000 } },
    ]);
    expect(JSON.parse((await daemon.tmpm("token", "create", "--scope", "observer", "--json")).stdout)).toEqual(issued.body);
  });

  test("create --file writes a private file, and does not print the secret", async () => {
    await using daemon = await answering(() => issued);
    const file = join(daemon.home, "secret");
    const made = await daemon.tmpm("token", "create", "--scope", "observer", "--file", file, "--json");
    expect(JSON.parse(made.stdout)).toEqual({ ...listed, file });
    expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual([`${SECRET}\n`, 0o600]);
    const again = await daemon.tmpm("token", "rotate", "wall", "--file", file);
    expect(again).toMatchObject({ exit: 4, stdout: "" });
    expect(daemon.asked).toHaveLength(1);
  });

  test("does not leave a file if the daemon refuses", async () => {
    await using daemon = await answering(() => errorAnswer(409, { code: "NAME_TAKEN", message: "taken", hint: null }));
    const file = join(daemon.home, "secret");
    expect((await daemon.tmpm("token", "create", "--scope", "admin", "--file", file)).exit).toBe(4);
    writeFileSync(file, "", { flag: "wx" });
  });

  test.each([
    [["ls", "--scope", "admin"], "--scope applies to create and login only"],
    [["rotate", "wall", "--expires", "1d"], "--expires applies to create only"],
    [["login", "--file", "f"], "--file applies to create and rotate only"],
    [["revoke", "wall", "--name", "w"], "--name applies to create only"],
  ])("refuses options that %j does not accept", async (words, message) => {
    await using daemon = await answering(() => issued);
    expect(await daemon.tmpm("token", ...words)).toMatchObject({ exit: 2, stderr: expect.stringContaining(message) });
    expect(daemon.asked).toEqual([]);
  });

  test("ls, revoke and login", async () => {
    await using daemon = await answering(({ url }) => ({
      body:
        url === "/v1/tokens"
          ? { tokens: [listed], next: null }
          : url === "/v1/login-codes"
            ? { url: "http://x.localhost:1/login#c" }
            : listed,
    }));
    expect((await daemon.tmpm("token")).stdout).toMatch(/^TOKEN .*\nwall +observer +bearer +\d+d ago +never +never +id-1$/m);
    expect((await daemon.tmpm("token", "revoke", "wall")).stdout).toBe("wall is revoked\n");
    expect((await daemon.tmpm("token", "login", "--scope", "observer")).stdout).toBe("http://x.localhost:1/login#c\n");
    expect(daemon.asked.map(({ method, url, body }) => [method, url, body])).toEqual([
      ["GET", "/v1/tokens", null],
      ["DELETE", "/v1/tokens/wall", null],
      ["POST", "/v1/login-codes", { scope: "observer" }],
    ]);
  });

  test("does not send a request if the command line is invalid", async () => {
    await using daemon = await answering(() => issued);
    for (const argv of [
      ["create"],
      ["create", "--scope", "root"],
      ["create", "--scope", "admin", "--expires", "soon"],
      ["rotate"],
      ["revoke"],
      ["ls", "wall"],
    ])
      expect([argv, (await daemon.tmpm("token", ...argv)).exit]).toEqual([argv, 2]);
    expect(daemon.asked).toEqual([]);
  });
});
