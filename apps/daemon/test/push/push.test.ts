import { request } from "node:http";
import type { DeviceList, PushAnswer } from "@tmpm/api";
import { memoryDocuments } from "@tmpm/store/memory";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Caller } from "../../src/guard/caller.js";
import type { Ledger } from "../../src/push/ledger.js";
import { push } from "../../src/push/push.js";
import type { Subscription, VapidKeys } from "../../src/push/push-service.js";
import { LABEL, openDoors, SECRETS } from "../fixtures/door-fixture.js";
import { rawRequest, requestText } from "../fixtures/raw-request.js";
import { pushService } from "./push-service-fixture.js";

const notice = (session = "s-1") => ({
  kind: "needs_you" as const,
  title: "fix waits for your approval",
  entries: [{ session_id: session, question: "may I run `rm -rf secret`?", message: "m" } as never],
});

const token = (id: string) => ({ id, name: `device-${id}`, kind: "login", scope: "operator" }) as never;
const caller = (id: string): Caller => ({ kind: "login", peer: "127.0.0.1", token: token(id) });
const asked = (id: string | null) =>
  ({ admitted: { caller: id === null ? { kind: "owner", peer: "socket" } : caller(id), requestId: "r", entrance: null } }) as never;

async function fixture({
  subscriptions = memoryDocuments<Subscription>(),
  keyStore = memoryDocuments<VapidKeys>(),
  ledgerStore = memoryDocuments<Ledger>(),
}: {
  subscriptions?: ReturnType<typeof memoryDocuments<Subscription>>;
  keyStore?: ReturnType<typeof memoryDocuments<VapidKeys>>;
  ledgerStore?: ReturnType<typeof memoryDocuments<Ledger>>;
} = {}) {
  const service = await pushService();
  const gone = new Set<string>();
  const faults: unknown[] = [];
  const clock = { now: Date.parse("2026-01-01T00:00:00Z") };
  const opened = await push({
    subscriptions,
    keyStore,
    ledgerStore,
    device: (id) => (gone.has(id) ? null : { name: `device-${id}` }),
    clock: () => clock.now,
    report: (fault) => void faults.push(fault),
  });
  onTestFinished(() => opened.close());
  const answer = () => opened.routes.push({}, asked("a"));
  const outcomes = async () => (await answer()).ledger.map(({ device_id, outcome, reason }) => [device_id, outcome, reason]);
  const subscribe = (id: string, more = "") =>
    opened.routes.subscribePush({ ...service.subscription, endpoint: service.subscription.endpoint + more }, asked(id));
  return { ...opened, service, gone, faults, clock, answer, outcomes, subscribe, subscriptions, keyStore, ledgerStore };
}

describe("push notifications", () => {
  test("a notification contains only kind, session and title, encrypted, and is signed with a key of this home", async () => {
    const { notify, subscribe, answer, service, faults } = await fixture();
    const { public_key } = await subscribe("a");
    notify(notice());
    await expect.poll(async () => (await answer()).ledger).toMatchObject([{ outcome: "accepted", reason: null, device: "device-a" }]);
    const [pushed] = service.pushed;
    expect(JSON.parse(pushed?.text ?? "")).toEqual({ kind: "needs_you", session_id: "s-1", title: "fix waits for your approval" });
    expect(pushed?.headers).toMatchObject({ "content-encoding": "aes128gcm", urgency: "high", ttl: "43200" });
    expect(pushed?.headers.authorization).toContain(public_key);
    expect(faults).toEqual([]);
  });

  test("a notification about several sessions contains no session name", async () => {
    const { routes, notify, subscribe, service } = await fixture();
    await subscribe("a");
    notify({ ...notice(), entries: [...notice().entries, ...notice("s-2").entries] });
    await expect.poll(() => service.pushed.map(({ text }) => JSON.parse(text).session_id)).toEqual([null]);
    expect(JSON.stringify(await routes.push({}, asked("a")))).not.toMatch(/secret|rm -rf/);
  });

  test("a device is in view while any of its pages is", async () => {
    const { routes, clock } = await fixture();
    const report = async (page: string, looks: boolean) =>
      (await routes.reportPresence({ visible: looks, focused: looks, page }, asked("a"))).suppressed_until;
    await report("first", true);
    clock.now += 60_000;
    expect(await report("second", false)).toBe("2026-01-01T00:02:00Z");
    expect(await report("second", true)).toBe("2026-01-01T00:03:00Z");
    expect(await report("second", false)).toBe("2026-01-01T00:02:00Z");
    expect(await report("first", false)).toBeNull();
    await report("first", true);
    clock.now += 120_000;
    expect(await report("second", false)).toBeNull();
  });

  test("a device whose page is in view gets no notification, the ledger records it, and other devices get one", async () => {
    const { routes, notify, subscribe, outcomes, service, clock } = await fixture();
    await subscribe("a");
    await subscribe("b", "/b");
    expect(await routes.reportPresence({ visible: true, focused: true }, asked("a"))).toEqual({ suppressed_until: "2026-01-01T00:02:00Z" });
    expect(await routes.reportPresence({ visible: true, focused: false }, asked("b"))).toEqual({ suppressed_until: null });
    notify(notice());
    const looks = "the page is in view on this device";
    await expect.poll(outcomes).toEqual(
      expect.arrayContaining([
        ["a", "suppressed", looks],
        ["b", "accepted", null],
      ]),
    );
    expect(service.pushed).toHaveLength(1);
    // The report of a disconnected page expires.
    clock.now += 120_000;
    notify(notice());
    await expect.poll(() => service.pushed.length).toBe(3);
  });

  test.each([404, 410])("a push service that answers %i ends the subscription", async (status) => {
    const { notify, subscribe, outcomes, isSubscribed, service, subscriptions } = await fixture();
    await subscribe("a");
    service.answer(status);
    notify(notice());
    await expect.poll(outcomes).toEqual([["a", "ended", "the browser has ended the subscription"]]);
    await expect.poll(() => isSubscribed("a")).toBe(false);
    expect((await subscriptions.all()).documents.size).toBe(0);
  });

  test("a refused, redirected or rejected notification keeps the subscription, and the reason is reported", async () => {
    const { notify, subscribe, outcomes, isSubscribed, service } = await fixture();
    await subscribe("a");
    for (const status of [429, 500, 307]) {
      service.answer(status);
      notify(notice());
      await expect.poll(outcomes).toContainEqual(["a", "refused", `the push service responded with ${status}`]);
    }
    expect(service.pushed.map(({ path }) => path)).not.toContain("/elsewhere");
    await service.stop();
    notify(notice());
    await expect.poll(outcomes).toContainEqual(["a", "failed", expect.stringMatching(/^[A-Z_]+$/)]);
    expect(isSubscribed("a")).toBe(true);
  });

  test("logged-out devices get no notification", async () => {
    const { notify, subscribe, outcomes, gone, service, subscriptions } = await fixture();
    await subscribe("a");
    gone.add("a");
    notify(notice());
    await expect.poll(outcomes).toEqual([["a", "ended", "the device is logged out"]]);
    expect([service.pushed, (await subscriptions.all()).documents.size]).toEqual([[], 0]);
  });
});

test("subscriptions, the key and the ledger outlive the daemon", async () => {
  const first = await fixture();
  const { public_key } = await first.subscribe("a");
  first.notify(notice());
  await expect.poll(first.outcomes).toEqual([["a", "accepted", null]]);
  await first.close();
  const second = await fixture(first);
  expect(await second.answer()).toMatchObject({ public_key, subscribed: true, ledger: [{ outcome: "accepted", session_id: "s-1" }] });
  second.notify(notice("s-2"));
  await expect.poll(() => first.service.pushed.length).toBe(2);
  await expect.poll(async () => (await second.answer()).ledger.map(({ session_id }) => session_id)).toEqual(["s-2", "s-1"]);
});

test("an unwritable ledger is reported, and notifications continue", async () => {
  const { notify, subscribe, outcomes, ledgerStore, faults } = await fixture();
  await subscribe("a");
  ledgerStore.failWith(new Error("disk"));
  notify(notice());
  await expect.poll(outcomes).toEqual([["a", "accepted", null]]);
  await expect.poll(() => faults).toMatchObject([{ error: { message: "disk" } }]);
});

test("a browser that logged in again is notified once, and newer notices of a session replace undelivered ones", async () => {
  const { notify, subscribe, service, answer } = await fixture();
  await subscribe("a");
  await subscribe("b");
  expect((await answer()).subscriptions.map(({ device_id }) => device_id)).toEqual(["b"]);
  notify(notice());
  notify(notice());
  notify(notice("s-2"));
  await expect.poll(() => service.pushed.length).toBe(3);
  const topics = service.pushed.map(({ headers }) => String(headers.topic));
  expect(new Set(topics).size).toBe(2);
  for (const topic of topics) expect(topic).toMatch(/^[\w-]{32}$/);
});

test("a test notification reaches the requesting device even while its page is in view, and from a terminal all devices", async () => {
  const { routes, subscribe, outcomes } = await fixture();
  await expect(routes.testPush({}, asked("a"))).rejects.toMatchObject({ code: "INVALID_STATE" });
  await subscribe("a");
  await subscribe("b", "/b");
  await routes.reportPresence({ visible: true, focused: true }, asked("a"));
  expect((await routes.testPush({}, asked("a"))).ledger).toMatchObject([{ kind: "test", device_id: "a", outcome: "accepted" }]);
  await routes.testPush({}, asked(null));
  expect((await outcomes()).map(([device]) => device).sort()).toEqual(["a", "a", "b"]);
});

test("only logged-in browsers may subscribe, and only to encrypted endpoints", async () => {
  const { routes, service } = await fixture();
  await expect(routes.subscribePush(service.subscription, asked(null))).rejects.toMatchObject({ code: "INVALID_STATE" });
  for (const endpoint of ["http://push.example/x", "ftp://127.0.0.1/x", "file:///etc/passwd"])
    await expect(routes.subscribePush({ ...service.subscription, endpoint }, asked("a"))).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
});

test("a device is listed, and logged out at once from another: its streams end, and it gets no further notifications", async () => {
  const doors = await openDoors();
  const host = `${LABEL}.localhost:${doors.port}`;
  const ask = (line: string, cookie: string, body = "") =>
    rawRequest(
      { host: "127.0.0.1", port: doors.port },
      requestText(
        line,
        [
          ["host", host],
          ["origin", `http://${host}`],
          ["sec-fetch-site", "same-origin"],
          ["cookie", cookie],
        ],
        body,
      ),
    );
  const first = `tmpm_${doors.port}=${SECRETS.login}`;
  const { code } = (await doors.access.createLoginCode({ scope: "operator" }, {} as never)) as { code: string };
  const entered = await ask("POST /v1/login", first, JSON.stringify({ code, device: "Chrome on Android" }));
  const second = /set-cookie: ([^;]+)/i.exec(entered.head)?.[1] ?? "";
  const { subscription } = await pushService();
  expect((await ask("POST /v1/push/subscription", second, JSON.stringify(subscription))).status).toBe(200);
  const { devices } = JSON.parse((await ask("GET /v1/devices", first)).body) as DeviceList;
  expect(devices).toMatchObject([
    { id: "login", current: true, push: false },
    { name: expect.stringMatching(/^chrome-on-android-[0-9a-f]{6}$/), current: false, push: true },
  ]);
  const stream = follow(doors.port, { host, cookie: second });
  expect(await stream.opened).toBe(200);
  expect((await ask(`DELETE /v1/devices/${devices[1]?.name}`, first)).status).toBe(200);
  await stream.ended;
  expect((await ask("GET /v1/devices", second)).status).toBe(401);
  expect((JSON.parse((await ask("GET /v1/push", first)).body) as PushAnswer).subscriptions).toEqual([]);
});

/** Follows the events of a daemon with a cookie. */
function follow(port: number, { host, cookie }: { readonly host: string; readonly cookie: string }) {
  const headers = { host, cookie, "sec-fetch-site": "same-origin", accept: "text/event-stream" };
  const asking = request({ host: "127.0.0.1", port, path: "/v1/events", headers }).end();
  const opened = new Promise<number | undefined>((resolve) => asking.once("response", (answer) => resolve(answer.resume().statusCode)));
  const ended = new Promise<void>((resolve) => {
    asking.on("error", () => undefined).once("close", resolve);
  });
  return { opened, ended };
}
