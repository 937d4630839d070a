import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { nodeLinkContract } from "../src/contract.js";
import { fakeWire } from "../src/fake.js";
import { connectLink, LEASE, newIdentity, presenceAfter, prove, streamWire, systemTimer } from "../src/index.js";
import { ABOUT, IDENTITY, linked } from "./fixture.js";
import { settled, virtualTimer } from "./virtual-timer.js";

describe("a link on a fake wire", () => {
  nodeLinkContract({
    test,
    async start(serve) {
      const wire = fakeWire({ timer: systemTimer });
      const link = await linked(wire, { serve }).link;
      return { link, cut: wire.cut, close: async () => link.close() };
    },
  });
});

describe("a link on two streams", () => {
  nodeLinkContract({
    test,
    async start(serve) {
      const [there, back] = [new PassThrough(), new PassThrough()];
      const ends = { client: streamWire({ input: back, output: there }), node: streamWire({ input: there, output: back }) };
      const link = await linked(ends, { serve }).link;
      return { link, cut: () => void there.destroy(new Error("cut")), close: async () => link.close() };
    },
  });
});

describe("a link", () => {
  test("proves the node's identity", async () => {
    const wire = fakeWire({ timer: systemTimer });
    const { peer } = await linked(wire).link;
    expect(peer).toMatchObject({ node_id: IDENTITY.node_id, host_name: "build1", user: "ada", home: "/home/ada", version: 1 });
  });

  test("is refused to a node that claims another's id", async () => {
    const wire = fakeWire({ timer: systemTimer });
    const thief = { ...newIdentity(), node_id: IDENTITY.node_id };
    await expect(linked(wire, { node: { identity: thief } }).link).rejects.toMatchObject({
      code: "NODE_OFFLINE",
      message: "the node did not prove that it owns its id",
    });
  });

  test("is refused to a node that repeats an old proof", async () => {
    const wire = fakeWire({ timer: systemTimer });
    const old = prove(IDENTITY, "an earlier nonce");
    expect(old.node_id).toBe(IDENTITY.node_id);
    const { isProven } = await import("../src/identity.js");
    expect(isProven(old, "an earlier nonce")).toBe(true);
    expect(isProven(old, "a new nonce")).toBe(false);
    expect(isProven({ ...old, public_key: "bm90IGEga2V5" }, "an earlier nonce")).toBe(false);
    wire.cut();
  });

  test("uses the older of two adjacent versions", async () => {
    const wire = fakeWire({ timer: systemTimer });
    const link = await linked(wire, { protocol: [1, 2], node: { protocol: [1, 1] } }).link;
    expect(link.peer.version).toBe(1);
    const exchange = link.open();
    exchange.end("as before");
    expect(await text(exchange)).toBe("as before");
  });

  test.each([
    { there: [1, 1] as const, here: [2, 3] as const, hint: "Update tmpm at the node." },
    { there: [3, 4] as const, here: [1, 2] as const, hint: "Update tmpm here." },
  ])("between versions $here and $there is refused, and names both", async ({ there, here, hint }) => {
    const wire = fakeWire({ timer: systemTimer });
    await expect(linked(wire, { protocol: here, node: { protocol: there } }).link).rejects.toMatchObject({
      code: "DAEMON_VERSION",
      message: expect.stringContaining(`speaks versions ${there[0]} to ${there[1]}`),
      hint,
    });
  });

  test("ends when the node sends a request", async () => {
    const wire = fakeWire({ timer: systemTimer });
    const { mux } = await import("../src/mux.js");
    const { encode } = await import("../src/hello.js");
    const { FRAME } = await import("../src/frame.js");
    const rogue = mux(wire.node, {
      preamble: true,
      heard: () => undefined,
      opened: null,
      closed: () => undefined,
      control(type, payload) {
        if (type !== FRAME.hello) return;
        const { nonce } = JSON.parse(new TextDecoder().decode(payload));
        rogue.control(FRAME.hello, encode({ versions: [1, 1], ...ABOUT, ...prove(IDENTITY, nonce), clock_ms: 0, capabilities: [] }));
        rogue.open().write("POST /v1/daemon/shutdown HTTP/1.1\r\n\r\n");
      },
    });
    const link = await connectLink(wire.client, { version: "0.1.0", timer: systemTimer });
    expect(await link.closed).toMatchObject({ reason: expect.stringContaining("only responses are expected") });
  });

  test("without a greeting times out", async () => {
    const timer = virtualTimer();
    const wire = fakeWire({ timer });
    const link = connectLink(wire.client, { version: "0.1.0", timer });
    const failed = expect(link).rejects.toMatchObject({ code: "NODE_OFFLINE", message: "no greeting within 20 s" });
    await timer.pass(20_000);
    await failed;
  });

  test("measures the node's clock", async () => {
    const [here, there] = [virtualTimer(), virtualTimer({ wallOffset: 1_700_000_090_000 })];
    const wire = fakeWire({ timer: here });
    const link = await linked(wire, { timer: here, node: { timer: there } }).link;
    expect(link.skewMs()).toBe(90_000);
  });

  test("that is half-open is suspect first, and ends after the lease, at both ends", async () => {
    const timer = virtualTimer();
    const wire = fakeWire({ timer });
    const { link: linking, served } = linked(wire, { timer });
    const link = await linking;
    await timer.pass(10_000);
    expect(presenceAfter(link.silentMs(), LEASE)).toBe("online");
    wire.stall();
    const exchange = link.open();
    exchange.end("into the void");
    const failed = expect(text(exchange)).rejects.toThrow("silent for 45 s");
    await timer.pass(20_000);
    expect(presenceAfter(link.silentMs(), LEASE)).toBe("suspect");
    await timer.pass(30_000);
    await failed;
    expect((await link.closed).reason).toBe("silent for 45 s");
    expect((await served.closed).reason).toBe("nothing was received for the duration of the lease");
  });

  test("continues after a pause shorter than the lease", async () => {
    const timer = virtualTimer();
    const wire = fakeWire({ timer });
    const link = await linked(wire, { timer }).link;
    wire.stall();
    await timer.pass(30_000);
    wire.resume();
    await settled();
    const exchange = link.open();
    exchange.end("awake");
    expect(await text(exchange)).toBe("awake");
  });
});
