import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { qrCode } from "../../src/render/qr-code.js";
import { browserOpener } from "../../src/terminal/open-browser.js";
import { answering } from "../fixtures/answering.js";

const web = { open: true, url: "http://127.0.0.1:7777", by: "web", page: true };
const login = { code: "abc", url: "http://label.localhost:7777/login#abc", scope: "operator", expires_at: "2026-01-01T00:01:00Z" };
const answers = ({ url = "" }: { readonly url?: string }) => (url === "/v1/login-codes" ? { status: 201, body: login } : { body: web });

describe("tmpm web", () => {
  test("opens the web entrance, and prints its address with its QR code", async () => {
    await using daemon = await answering(answers);
    const { exit, stdout, stderr } = await daemon.tmpm("web", "--no-open", "--port", "8080");
    expect([exit, stdout.split("\n")[0], stdout]).toEqual([0, login.url, expect.stringMatching(/█▀▀/)]);
    expect(stderr).toContain("once, within a minute");
    expect(daemon.asked).toEqual([
      { method: "POST", url: "/v1/web", body: { port: 8080 } },
      { method: "POST", url: "/v1/login-codes", body: {} },
    ]);
    expect(JSON.parse((await daemon.tmpm("web", "--json")).stdout)).toEqual({
      ...web,
      login: { url: login.url, scope: "operator", expires_at: login.expires_at },
    });
  });

  test("closes it", async () => {
    await using daemon = await answering(() => ({ body: { ...web, open: false, url: null, by: null } }));
    expect(await daemon.tmpm("web", "--stop")).toEqual({ exit: 0, stdout: "browsers can no longer reach the daemon\n", stderr: "" });
    expect(daemon.asked).toMatchObject([{ method: "DELETE", url: "/v1/web" }]);
    expect((await daemon.tmpm("web", "--stop", "--port", "1")).exit).toBe(2);
    expect((await daemon.tmpm("web", "--port", "70000")).exit).toBe(2);
  });
});

const device = {
  ...{ id: "id-1", name: "chrome-on-android-1f0c7a", scope: "operator", created_at: "2026-01-01T00:00:00Z", expires_at: null },
  ...{ last_seen_at: null, current: false, push: true },
};
const entry = { kind: "needs_you", session_id: "s", title: "fix waits for your approval", at: "2026-01-01T00:00:00Z", device_id: "id-1" };
const push = {
  public_key: "k",
  subscribed: false,
  subscriptions: [{ device_id: "id-1", device: device.name, service: "push.example", created_at: "2026-01-01T00:00:00Z" }],
  ledger: [{ ...entry, device: device.name, outcome: "suppressed", reason: "the page is in view on this device" }],
};

describe("tmpm web devices", () => {
  test("lists them, and logs one out", async () => {
    await using daemon = await answering(({ method }) => ({ body: method === "DELETE" ? device : { devices: [device], next: null } }));
    expect((await daemon.tmpm("web", "devices")).stdout).toMatch(/^DEVICE .*\nchrome-on-android-1f0c7a +operator .* never .* yes\n$/);
    expect(await daemon.tmpm("web", "devices", "revoke", device.name)).toMatchObject({
      exit: 0,
      stdout: "chrome-on-android-1f0c7a is logged out\n",
    });
    expect(daemon.asked.at(-1)).toMatchObject({ method: "DELETE", url: "/v1/devices/chrome-on-android-1f0c7a" });
    expect((await daemon.tmpm("web", "devices", "revoke")).exit).toBe(2);
    expect((await daemon.tmpm("web", "devices", "test")).exit).toBe(2);
  });

  test("push reports the outcome of each notification, and the reason", async () => {
    await using daemon = await answering(() => ({ body: push }));
    expect((await daemon.tmpm("web", "push")).stdout).toMatch(/suppressed +fix waits for your approval +the page is in view/);
    expect(JSON.parse((await daemon.tmpm("web", "push", "test", "--json")).stdout)).toEqual(push);
    expect(daemon.asked.map(({ url }) => url)).toEqual(["/v1/push", "/v1/push/test"]);
  });
});

test("a browser is opened only on a desktop", () => {
  const env = { PATH: "/nonexistent", DISPLAY: ":0" };
  expect(browserOpener(env, "linux")).toBeNull();
  const bin = { PATH: join(import.meta.dirname, "..", "programs") };
  expect(browserOpener({ ...bin, DISPLAY: ":0" }, "linux")).toBe(join(bin.PATH, "xdg-open"));
  expect(browserOpener({ ...bin, WAYLAND_DISPLAY: "wayland-0" }, "linux")).toBe(join(bin.PATH, "xdg-open"));
  expect(browserOpener(bin, "linux")).toBeNull();
  expect(browserOpener({ ...bin, DISPLAY: ":0", SSH_CONNECTION: "1 2 3 4" }, "linux")).toBeNull();
});

test("the browser gets a private file with the address, and no argument that other users can read", async () => {
  await using daemon = await answering(answers);
  const { openBrowser } = await import("../../src/terminal/open-browser.js");
  const env = { PATH: join(import.meta.dirname, "..", "programs"), DISPLAY: ":0" };
  const location = () => ({ home: daemon.home }) as ReturnType<Parameters<typeof openBrowser>[0]["location"]>;
  expect(await openBrowser({ env, location }, async () => login.url)).toBe(true);
  const file = join(daemon.home, "open-in-browser.html");
  expect([statSync(file).mode & 0o777, readFileSync(file, "utf8")]).toEqual([0o600, expect.stringContaining(`url=${login.url}"`)]);
});

test.each([
  ["firefox_firefox.desktop", "snap"],
  ["firefox.desktop", "snap"],
  ["chromium_chromium.desktop", "home"],
  ["", "home"],
])("with the default browser %j the file is in the folder of the %s", async (answer, where) => {
  await using daemon = await answering(answers);
  const { openBrowser } = await import("../../src/terminal/open-browser.js");
  const bin = join(daemon.home, "bin");
  const common = join(daemon.home, "snap", "firefox", "common");
  for (const folder of [bin, common]) mkdirSync(folder, { recursive: true });
  for (const [name, script] of [
    ["xdg-open", "exit 0"],
    ["xdg-settings", `[ "$1 $2" = "get default-web-browser" ] && echo ${answer}`],
  ] as const) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const env = { HOME: daemon.home, PATH: bin, DISPLAY: ":0" };
  const location = () => ({ home: daemon.home }) as ReturnType<Parameters<typeof openBrowser>[0]["location"]>;
  expect(await openBrowser({ env, location }, async () => login.url)).toBe(true);
  const files = { snap: join(common, "tmpm-open-in-browser.html"), home: join(daemon.home, "open-in-browser.html") };
  expect(Object.entries(files).flatMap(([name, file]) => (existsSync(file) ? [name] : []))).toEqual([where]);
  expect(statSync(where === "snap" ? files.snap : files.home).mode & 0o777).toBe(0o600);
});

test("a QR code is omitted if it would be cut or cannot be drawn", () => {
  const wide = { columns: 80, colour: false, unicode: true };
  const lines = qrCode(login.url, { now: 0, userHome: null, terminal: wide });
  expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  expect(lines.length).toBeGreaterThan(14);
  expect(qrCode(login.url, { now: 0, userHome: null, terminal: { ...wide, columns: 20 } })).toEqual([]);
  expect(qrCode(login.url, { now: 0, userHome: null, terminal: { ...wide, unicode: false } })).toEqual([]);
});

test("recent directories are listed, latest first", async () => {
  const directories = [{ path: "/srv/api", last_used_at: "2026-01-01T00:00:00Z", sessions: 3 }];
  await using daemon = await answering(() => ({ body: { directories, next: null } }));
  expect((await daemon.tmpm("projects", "recent")).stdout).toMatch(/^LAST USED +SESSIONS +DIRECTORY\n.* 3 +\/srv\/api\n$/);
  expect(JSON.parse((await daemon.tmpm("projects", "recent", "--json")).stdout)).toEqual({ directories, next: null });
  expect((await daemon.tmpm("projects", "recent", "x")).exit).toBe(2);
});
