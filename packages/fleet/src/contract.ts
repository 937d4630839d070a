import assert from "node:assert/strict";
import type { Duplex } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import type { NodeLink } from "./node-link.js";

export interface LinkFixture {
  readonly link: NodeLink;
  /** Breaks the link's transport. */
  cut(): void | Promise<void>;
  close(): Promise<void>;
}

export interface NodeLinkContractOptions {
  /** Declares a test, as `test` of vitest or of `node:test`. */
  readonly test: (name: string, run: () => Promise<void>) => void;
  /** A link to a node whose exchanges `serve` accepts. */
  readonly start: (serve: (exchange: Duplex) => void) => Promise<LinkFixture>;
}

const LARGE = 3 * 1024 * 1024;

/** The guarantees of every `NodeLink`. */
export function nodeLinkContract({ test, start }: NodeLinkContractOptions): void {
  const using = (serve: (exchange: Duplex) => void, run: (fixture: LinkFixture) => Promise<void>) => async () => {
    const fixture = await start(serve);
    try {
      await run(fixture);
    } finally {
      await fixture.close();
    }
  };
  const echo = (exchange: Duplex) => void exchange.on("error", () => undefined).pipe(exchange);

  test(
    "says who answers",
    using(echo, async ({ link }) => {
      assert.match(link.peer.node_id, /^[0-9a-f]{32}$/);
      assert.notEqual(link.peer.tmpm, "");
      assert.ok(link.silentMs() >= 0);
    }),
  );

  test(
    "carries bytes exactly, of any number",
    using(echo, async ({ link }) => {
      const sent = Buffer.alloc(LARGE, "0123456789abcdef\u0000\n");
      const exchange = link.open();
      exchange.end(sent);
      assert.ok((await buffer(exchange)).equals(sent));
    }),
  );

  test(
    "lets the node answer after this end has said all",
    using(
      (exchange) => {
        const asked: Uint8Array[] = [];
        exchange.on("data", (piece: Uint8Array) => asked.push(piece));
        exchange.on("end", () => exchange.end(`you said ${Buffer.concat(asked)}`));
      },
      async ({ link }) => {
        const exchange = link.open();
        exchange.end("hello");
        assert.equal(await text(exchange), "you said hello");
      },
    ),
  );

  test(
    "keeps exchanges apart",
    using(echo, async ({ link }) => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => {
          const exchange = link.open();
          exchange.end(`number ${index}`);
          return text(exchange);
        }),
      );
      assert.deepEqual(
        answers,
        answers.map((_, index) => `number ${index}`),
      );
    }),
  );

  test(
    "a sender that outruns its reader is held back, and no other",
    using(
      (exchange) => {
        exchange.on("error", () => undefined);
        exchange.once("data", (first: Uint8Array) => {
          if (Buffer.from(first).toString() === "pour") exchange.end(Buffer.alloc(LARGE));
          else exchange.end(first);
        });
      },
      async ({ link }) => {
        const slow = link.open();
        slow.write("pour");
        await new Promise((resolve) => slow.once("readable", resolve));
        const quick = link.open();
        quick.end("quick");
        assert.equal(await text(quick), "quick");
        assert.ok(slow.readableLength < LARGE / 2, `${slow.readableLength} bytes wait`);
        assert.equal((await buffer(slow)).length, LARGE);
      },
    ),
  );

  test(
    "an exchange that the node gave up is reported, and others continue",
    using(
      (exchange) => {
        exchange.on("error", () => undefined);
        exchange.once("data", (first: Uint8Array) => {
          if (Buffer.from(first).toString() === "fail") exchange.destroy(new Error("not today"));
          else exchange.end(first);
        });
      },
      async ({ link }) => {
        const failing = link.open();
        failing.write("fail");
        await assert.rejects(text(failing), /not today/);
        const fine = link.open();
        fine.end("fine");
        assert.equal(await text(fine), "fine");
      },
    ),
  );

  test(
    "fails every exchange when it is cut, and begins none afterwards",
    using(
      (exchange) => void exchange.on("error", () => undefined).resume(),
      async ({ link, cut }) => {
        const exchange = link.open();
        exchange.write("hello?");
        const failed = assert.rejects(text(exchange));
        await cut();
        await failed;
        const { reason } = await link.closed;
        assert.notEqual(reason, "");
        assert.equal(link.exchanges(), 0);
        assert.throws(() => link.open(), { code: "NODE_OFFLINE" });
      },
    ),
  );

  test(
    "closes once",
    using(echo, async ({ link }) => {
      link.close();
      link.close();
      await link.closed;
      assert.throws(() => link.open(), { code: "NODE_OFFLINE" });
    }),
  );
}
