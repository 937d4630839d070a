import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { connect, nkeys } from "@nats-io/transport-node";
import { describe, expect, test } from "vitest";
import { nodeLinkContract } from "../src/contract.js";
import { connectLink, newIdentity, nkeyOf, natsPermissions as permissions, serveLink, systemTimer } from "../src/index.js";
import { natsHub, natsWire, type ServedNats, serveNats } from "../src/nats/index.js";
import { ABOUT } from "./fixture.js";
import { natsServer, WITHOUT_NATS } from "./nats-server.js";

const ADA = newIdentity();
const BUILD1 = newIdentity();
const BUILD2 = newIdentity();
const echo = (exchange: Duplex): void => {
  exchange.on("error", () => undefined).pipe(exchange);
};

if (WITHOUT_NATS !== null) console.warn(`no link over NATS is tried: ${WITHOUT_NATS}`);

test("the NATS key of a node is accepted by NATS, and is not the node's own", () => {
  const { public_key, sign } = nkeyOf(BUILD1);
  expect(public_key).toMatch(/^U[A-Z2-7]{55}$/);
  expect(nkeyOf(BUILD1).public_key).toBe(public_key);
  expect(nkeyOf(BUILD2).public_key).not.toBe(public_key);
  const challenge = "tmpm node a nonce";
  const signature = Buffer.from(sign(challenge), "base64url");
  expect(nkeys.fromPublic(public_key).verify(Buffer.from(challenge), signature)).toBe(true);
});

/** A NATS server that knows a laptop and two nodes. */
async function hub() {
  const server = await natsServer([
    { nkey: nkeyOf(ADA).public_key, permissions: permissions.client("ada") },
    { nkey: nkeyOf(BUILD1).public_key, permissions: permissions.node("build1") },
    { nkey: nkeyOf(BUILD2).public_key, permissions: permissions.node("build2") },
  ]);
  const { url } = server;
  return {
    server,
    url,
    node: (serve = echo, { clients = ["ada"], identity = BUILD1, node = "build1", hostName = "host1" } = {}): Promise<ServedNats> =>
      serveNats({
        url,
        identity,
        name: node,
        node,
        hostName,
        clients: new Set(clients),
        serve: (wire) => void serveLink(wire, { identity, about: ABOUT, timer: systemTimer, serve, preamble: false }),
      }),
    link: ({ node = "build1", client = "ada", identity = ADA } = {}) =>
      connectLink(natsWire({ hub: natsHub({ url, identity, name: client }), node, client }), {
        version: "0.1.0",
        timer: systemTimer,
        preamble: false,
      }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

describe.skipIf(WITHOUT_NATS !== null)("a link over a NATS server", () => {
  nodeLinkContract({
    test,
    async start(serve) {
      const fixture = await hub();
      const served = await fixture.node(serve);
      const link = await fixture.link();
      return {
        link,
        cut: () => fixture.server.kill(),
        async close() {
          link.close();
          served.close();
          await served.closed;
          await fixture[Symbol.asyncDispose]();
        },
      };
    },
  });

  test("ends at once when the node leaves, and reports a missing one", async () => {
    await using fixture = await hub();
    const served = await fixture.node();
    const link = await fixture.link();
    expect(link.peer.node_id).toBe(BUILD1.node_id);
    served.close();
    await served.closed;
    // The node's own message comes first, or the server's that there is no subscriber.
    expect((await link.closed).reason).toMatch(/^the node (?:closed the link|disconnected from the NATS server)$/);
    expect(() => link.open()).toThrow(expect.objectContaining({ code: "NODE_OFFLINE" }));
    await expect(fixture.link()).rejects.toMatchObject({
      code: "NODE_OFFLINE",
      message: "no node answers as build1 on the NATS server",
      hint: expect.stringContaining("tmpm node --nats"),
    });
  });

  test("is opened again with a server that was killed and lost its state", async () => {
    await using fixture = await hub();
    const first = await fixture.node();
    const link = await fixture.link();
    await fixture.server.kill();
    expect((await link.closed).reason).toContain("the connection to the NATS server ended");
    await first.closed;
    await expect(fixture.link()).rejects.toMatchObject({ message: expect.stringContaining("cannot be reached") });
    await fixture.server.start();
    const again = await fixture.node();
    const exchange = (await fixture.link()).open();
    exchange.end("as before");
    expect(await text(exchange)).toBe("as before");
    again.close();
  });

  test("is refused for a caller that the node does not accept, for a key unknown to the server, and for another's name", async () => {
    await using fixture = await hub();
    const served = await fixture.node(echo, { clients: ["bob"] });
    await expect(fixture.link()).rejects.toMatchObject({ message: "build1 does not accept links of ada" });
    await expect(fixture.link({ client: "bob" })).rejects.toMatchObject({
      message: expect.stringContaining("does not permit this machine to"),
    });
    const stranger = newIdentity();
    await expect(fixture.link({ identity: stranger })).rejects.toMatchObject({
      message: expect.stringContaining("refuses this machine's key"),
      hint: expect.stringContaining(nkeyOf(stranger).public_key),
    });
    served.close();
  });

  test("ends when two machines use one name, before either gets a request twice", async () => {
    await using fixture = await hub();
    let asked = 0;
    const count = (exchange: Duplex) => {
      asked += 1;
      echo(exchange);
    };
    const served = [await fixture.node(count, { hostName: "host1" }), await fixture.node(count, { hostName: "host2" })];
    const ended = await fixture.link().then(
      async (link) => {
        link
          .open()
          .on("error", () => undefined)
          .write("once");
        return (await link.closed).reason;
      },
      (error: Error) => error.message,
    );
    expect(ended).toBe("two machines answer as build1: host1 and host2");
    expect(asked).toBeLessThanOrEqual(1);
    for (const each of served) each.close();
  });

  test("gives a compromised node no access to another: it can neither request, nor answer, nor listen", async () => {
    await using fixture = await hub();
    const heard: string[] = [];
    let asked = 0;
    const served = await fixture.node((exchange) => {
      asked += 1;
      echo(exchange);
    });
    const link = await fixture.link();

    // It uses NATS with the key of build2, and violates every rule.
    const { public_key, sign } = nkeyOf(BUILD2);
    const thief = await connect({
      servers: fixture.url,
      reconnect: false,
      authenticator: (challenge) => ({ nkey: public_key, sig: sign(challenge ?? "") }),
    });
    const refused: string[] = [];
    const watching = (async () => {
      for await (const status of thief.status()) if (status.type === "error") refused.push(status.error.message);
    })();
    const forbidden = ["tmpm.>", ">", "tmpm.build1.in.>", "tmpm.build1.out.>", "tmpm.*.out.ada.>", "tmpm.build1.in.ada.*"];
    for (const subject of forbidden)
      thief.subscribe(subject, { callback: (error, msg) => void (error === null && heard.push(msg.subject)) });
    thief.publish("tmpm.build1.in.ada.0123456789abcdef", Uint8Array.of(1));
    thief.publish("tmpm.build1.in.build2.0123456789abcdef", Uint8Array.of(1));
    thief.publish("tmpm.build1.out.ada.0123456789abcdef", Uint8Array.of(4));
    await thief.flush();
    await expect.poll(() => refused.length).toBe(forbidden.length + 3);

    const exchange = link.open();
    exchange.end("not for build2");
    expect(await text(exchange)).toBe("not for build2");
    expect(asked).toBe(1);
    expect(heard).toEqual([]);

    // It cannot impersonate build1 under its own name either.
    const claims = await serveNats({
      url: fixture.url,
      identity: BUILD2,
      name: "build2",
      node: "build2",
      hostName: "host1",
      clients: new Set(["ada"]),
      serve: (wire) =>
        void serveLink(wire, {
          identity: { ...BUILD2, node_id: BUILD1.node_id },
          about: ABOUT,
          timer: systemTimer,
          serve: echo,
          preamble: false,
        }),
    });
    await expect(fixture.link({ node: "build2" })).rejects.toMatchObject({ message: "the node did not prove that it owns its id" });
    await expect(
      fixture.node(echo, { identity: BUILD2, node: "build1" }).then(async (each) => (await each.closed).reason),
    ).resolves.toContain("does not permit this machine to subscribe");
    claims.close();
    await thief.close();
    await watching;
    link.close();
    served.close();
  });
});
