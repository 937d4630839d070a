import { connect } from "node:net";
import { PATHS, type RouteName, VERSION_HEADER } from "@tmpm/api";
import { describe, expect, test } from "vitest";
import { closeDaemon } from "../../src/lifecycle/close-daemon.js";
import { descriptors } from "../../src/listen/descriptors.js";
import { LOAD_LIMITS, laneOf, load } from "../../src/load/load.js";
import { openDoors, SESSION } from "../fixtures/door-fixture.js";
import { rawRequest, requestText } from "../fixtures/raw-request.js";

const HOST = [["host", "localhost"]] as const;

/** A handler that answers on demand. */
function held() {
  const waiting: (() => void)[] = [];
  return {
    handler: () => new Promise<never>((resolve) => waiting.push(() => resolve({} as never))),
    count: () => waiting.length,
    release() {
      for (const go of waiting.splice(0)) go();
    },
  };
}

function get(path: string): string {
  return requestText(`GET ${path}`, [...HOST, ["connection", "close"]]);
}

describe("overload", () => {
  test("excess requests are refused at once with 503, Retry-After and the code, while health still answers", async () => {
    const hold = held();
    const limits = { load: load({ ...LOAD_LIMITS, requests: { atOnce: 3, waiting: 0 } }) };
    const { socket, calls } = await openDoors({ limits, handlers: { list: hold.handler } });
    const slow = Array.from({ length: 3 }, () => rawRequest({ path: socket }, get("/v1/sessions")));
    await expect.poll(() => hold.count()).toBe(3);
    const refused = await Promise.all(Array.from({ length: 20 }, () => rawRequest({ path: socket }, get("/v1/sessions"))));
    for (const answer of refused) {
      expect(answer.status).toBe(503);
      expect(answer.head).toMatch(/retry-after: 1/i);
      expect(JSON.parse(answer.body)).toMatchObject({ error: { code: "OVERLOADED", effect: "none" } });
    }
    expect((await rawRequest({ path: socket }, get("/healthz"))).status).toBe(200);
    expect((await rawRequest({ path: socket }, get("/readyz"))).status).toBe(200);
    expect(calls.filter((name) => name === "list")).toHaveLength(3);
    hold.release();
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const again = rawRequest({ path: socket }, get("/v1/sessions"));
    await expect.poll(() => hold.count()).toBe(1);
    hold.release();
    expect((await again).status).toBe(200);
  });

  test("requests queue briefly, and a caller that disconnects frees its place in the queue", async () => {
    const hold = held();
    const places = load({ ...LOAD_LIMITS, screens: { atOnce: 1, waiting: 2 } });
    const { socket } = await openDoors({ limits: { load: places }, handlers: { capture: hold.handler } });
    const path = "/v1/sessions/x/screen";
    const first = rawRequest({ path: socket }, get(path));
    await expect.poll(() => hold.count()).toBe(1);
    const leaver = connect(socket, () => leaver.write(get(path)));
    await expect.poll(() => places.counts().screens.waiting).toBe(1);
    const second = rawRequest({ path: socket }, get(path));
    await expect.poll(() => places.counts().screens.waiting).toBe(2);
    expect((await rawRequest({ path: socket }, get(path))).status).toBe(503);
    leaver.destroy();
    await expect.poll(() => places.counts().screens.waiting).toBe(1);
    hold.release();
    expect((await first).status).toBe(200);
    await expect.poll(() => hold.count()).toBe(1);
    hold.release();
    expect((await second).status).toBe(200);
    await expect.poll(() => places.counts().screens).toEqual({ active: 0, waiting: 0 });
  });

  test("excess connections are refused with 503 until others close", async () => {
    const { socket } = await openDoors({ limits: { maxConnections: 10 } });
    const idle = Array.from({ length: 10 }, () => connect(socket));
    await Promise.all(idle.map((each) => new Promise((resolve) => each.once("connect", resolve))));
    for (let more = 0; more < 5; more += 1) {
      const refused = await rawRequest({ path: socket }, get("/v1/sessions"));
      expect([refused.status, JSON.parse(refused.body).error.code]).toEqual([503, "OVERLOADED"]);
    }
    for (const each of idle) each.destroy();
    await expect.poll(async () => (await rawRequest({ path: socket }, get("/v1/sessions"))).status).toBe(200);
  });

  test("when file descriptors run short, an idle connection is closed for one with a request", async () => {
    let short = false;
    const { socket } = await openDoors({ limits: { files: { isShort: () => short } } });
    const idle = connect(socket).resume();
    const ended = new Promise((resolve) => idle.once("close", resolve));
    await new Promise((resolve) => idle.once("connect", resolve));
    // The earlier connection has been accepted once a later one gets its response.
    expect((await rawRequest({ path: socket }, get("/healthz"))).status).toBe(200);
    short = true;
    expect((await rawRequest({ path: socket }, get("/v1/sessions"))).status).toBe(200);
    await ended;
  });

  test.each(["100-continue", "something else"])(
    "a request that expects %s is not idle when file descriptors run short",
    async (expected) => {
      const hold = held();
      let short = false;
      const { socket } = await openDoors({ handlers: { list: hold.handler }, limits: { files: { isShort: () => short } } });
      const headers = [...HOST, ["connection", "close"], ["expect", expected]] as const;
      const first = rawRequest({ path: socket }, requestText("GET /v1/sessions", headers));
      await expect.poll(() => hold.count()).toBe(1);
      short = true;
      expect((await rawRequest({ path: socket }, get("/v1/sessions"))).status).toBe(503);
      hold.release();
      expect((await first).body).toContain("{}");
    },
  );

  test("when file descriptors run short and all connections await answers, a new one is answered at once", async () => {
    const hold = held();
    const { socket } = await openDoors({ handlers: { list: hold.handler }, limits: { files: { isShort: () => hold.count() > 0 } } });
    const first = rawRequest({ path: socket }, get("/v1/sessions"));
    await expect.poll(() => hold.count()).toBe(1);
    const refused = await rawRequest({ path: socket }, get("/v1/sessions"));
    expect([refused.status, JSON.parse(refused.body).error.code]).toEqual([503, "RESOURCE_EXHAUSTED"]);
    hold.release();
    expect((await first).status).toBe(200);
  });
});

test("long polls of a question leave the places of other requests free", async () => {
  const hold = held();
  const limits = { load: load({ ...LOAD_LIMITS, requests: { atOnce: 1, waiting: 0 } }) };
  const { socket } = await openDoors({ limits, handlers: { question: hold.handler } });
  const asked = Array.from({ length: 3 }, () => rawRequest({ path: socket }, get("/v1/sessions/x/questions/q?wait_ms=60000")));
  await expect.poll(() => hold.count()).toBe(3);
  expect((await rawRequest({ path: socket }, get("/v1/sessions"))).status).toBe(200);
  hold.release();
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200]);
});

test("requests that wait are counted apart from the others", () => {
  const names = Object.keys(PATHS) as RouteName[];
  expect(names.filter((name) => laneOf(name) === "waits").sort()).toEqual([
    "addNode",
    "addNodePrompt",
    "cancel",
    "checkGroup",
    "create",
    "events",
    "fan",
    "finish",
    "fleet",
    "operation",
    "pick",
    "question",
    "remove",
    "restart",
    "resume",
    "send",
    "setUpAgain",
    "stop",
    "testNotify",
    "testPush",
    "turn",
    "undo",
    "wait",
    "waitMany",
  ]);
});

test("free file descriptors are reported as they change", () => {
  expect(descriptors(1_000_000).isShort()).toBe(false);
  expect(descriptors(4).isShort()).toBe(true);
});

describe.concurrent("a slow request", () => {
  const post = (length: number) =>
    `POST /v1/sessions/x/send HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

  test("a request whose body stalls is answered with an error, and a slow body is accepted", async ({ expect, onTestFinished }) => {
    const { socket } = await openDoors({ onTestFinished, limits: { bodyIdleMs: 1_500 } });
    const stuck = await rawRequest({ path: socket }, `${post(1_000)}{"text":`);
    expect([stuck.status, JSON.parse(stuck.body).error.code]).toEqual([408, "TIMEOUT"]);
    const body = JSON.stringify({ text: "slow but there" });
    const answer = await new Promise<string>((resolve) => {
      let text = "";
      const slow = connect(socket, () => slow.write(post(body.length)));
      const letters = [...body];
      const timer = setInterval(() => {
        const letter = letters.shift();
        if (letter === undefined) clearInterval(timer);
        else slow.write(letter);
      }, 60);
      slow.on("data", (chunk) => {
        text += chunk.toString();
        slow.destroy();
        resolve(text);
      });
    });
    expect(answer).toMatch(/^HTTP\/1\.1 200/);
  });

  test("a body that keeps arriving, but not in time, ends", async ({ expect, onTestFinished }) => {
    const { socket } = await openDoors({ onTestFinished, limits: { bodyIdleMs: 20, bodyTotalMs: 1 } });
    const answer = await new Promise<string>((resolve) => {
      let text = "";
      const slow = connect(socket, () => slow.write(post(60_000)));
      const timer = setInterval(() => slow.write(" "), 1);
      slow.on("data", (chunk) => {
        text += chunk.toString();
      });
      slow.on("error", () => undefined);
      slow.on("close", () => {
        clearInterval(timer);
        resolve(text);
      });
    });
    // The answer is lost if the sender does not read it before its next piece.
    expect(answer).toMatch(/^$|^HTTP\/1\.1 408 /);
  });

  test("endless headers get 408, and oversized ones 431", async ({ expect, onTestFinished }) => {
    const [{ socket }, impatient] = await Promise.all([
      openDoors({ onTestFinished }),
      openDoors({ onTestFinished, limits: { headersMs: 1_000 } }),
    ]);
    const long = await rawRequest({ path: socket }, `GET /healthz HTTP/1.1\r\nhost: localhost\r\nx: ${"y".repeat(70_000)}\r\n\r\n`);
    expect(long.status).toBe(431);
    expect(long.head).toContain("tmpm-version: ");
    expect(JSON.parse(long.body).error).toMatchObject({ code: "INVALID_ARGUMENT", effect: "none" });
    const many = Array.from({ length: 1_000 }, () => `sessions=${SESSION}`).join("&");
    expect((await rawRequest({ path: socket }, get(`/v1/wait?${many}`))).status).toBe(200);
    const endless = await rawRequest({ path: impatient.socket }, "GET /healthz HTTP/1.1\r\nhost: localhost\r\nx: ");
    expect(endless.status).toBe(408);
    expect(endless.head).toContain("tmpm-version: ");
    expect(JSON.parse(endless.body).error).toMatchObject({ code: "TIMEOUT", effect: "none" });
  });
});

describe.concurrent("a daemon that stops", () => {
  test("a stopping daemon answers running requests and new ones on open connections, and cuts off the rest at the deadline", async ({
    expect,
    onTestFinished,
  }) => {
    const hold = held();
    const never = held();
    const { socket, stopping, givingUp, doors } = await openDoors({
      onTestFinished,
      handlers: { list: hold.handler, show: never.handler, next: never.handler },
    });
    const keepsOpen = connect(socket);
    const first = rawRequest({ path: socket }, get("/v1/sessions"));
    const stuckRead = rawRequest({ path: socket }, get("/v1/sessions/x"));
    const stuckBody = rawRequest(
      { path: socket },
      "POST /v1/sessions/x/send HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{",
    );
    await expect.poll(() => [hold.count(), never.count()]).toEqual([1, 1]);
    const warned: string[] = [];
    const closing = closeDaemon({
      stopping,
      givingUp,
      answered: () => doors.close(),
      cut: doors.cut,
      flushed: async () => undefined,
      warn: (message) => warned.push(message),
    });
    const late = await new Promise<string>((resolve) => {
      keepsOpen.once("data", (chunk) => resolve(chunk.toString()));
      keepsOpen.write("GET /v1/sessions HTTP/1.1\r\nhost: localhost\r\n\r\n");
    });
    expect(late).toMatch(/^HTTP\/1\.1 503/);
    expect(late).toMatch(/retry-after: 1\r\n/i);
    expect(late).toMatch(/connection: close\r\n/i);
    expect(late).toContain("SHUTTING_DOWN");
    hold.release();
    expect((await first).status).toBe(200);
    for (const answer of await Promise.all([stuckRead, stuckBody])) {
      expect(answer.status).toBe(503);
      expect(JSON.parse(answer.body).error.code).toBe("SHUTTING_DOWN");
    }
    await closing;
    expect(warned).toHaveLength(1);
    const refused = await new Promise<string>((resolve) =>
      connect(socket).once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "")),
    );
    expect(refused).toMatch(/ENOENT|ECONNREFUSED/);
  });

  test("every response has a request id, the client's own if it is valid", async ({ expect, onTestFinished }) => {
    const { socket } = await openDoors({ onTestFinished });
    const named = await rawRequest({ path: socket }, requestText("GET /healthz", [...HOST, ["x-request-id", "my-trace:1"]]));
    expect(named.head).toMatch(/x-request-id: my-trace:1/i);
    const odd = await rawRequest({ path: socket }, requestText("GET /healthz", [...HOST, ["x-request-id", 'a" b']]));
    const own = /tmpm-request-id: (\S+)/i.exec(odd.head)?.[1];
    expect(odd.head).toMatch(new RegExp(`x-request-id: ${own}`, "i"));
    expect(odd.head).toMatch(new RegExp(`${VERSION_HEADER}: `, "i"));
  });
});
