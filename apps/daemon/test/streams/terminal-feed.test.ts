import { expect, test } from "vitest";
import { terminalFeed } from "../../src/streams/terminal-feed.js";

test("a terminal that cannot be read ends, whether that fails before its first event or later", async () => {
  const faults: unknown[] = [];
  for (const isBegun of [false, true]) {
    let fail: (error: Error) => void = () => undefined;
    const done = new Promise<void>((_, reject) => {
      fail = reject;
    });
    const feed = terminalFeed(
      {
        kept: { kind: "nowhere", why: "a test" },
        async output(listener) {
          if (isBegun) await listener({ type: "chunk", offset: 0, bytes: new Uint8Array(3) });
          return { close: () => undefined, done, look: () => Promise.reject(new Error("no screen")) };
        },
      },
      { ringBytes: 100, now: () => 0, report: (fault) => void faults.push(fault), more: () => undefined, lost: () => undefined },
    );
    fail(Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" }));
    const opened = await feed;
    expect(await opened.ended).toEqual({ how: "closed", last: null });
    opened.close();
  }
  expect(faults).toMatchObject([{ doing: "reading a terminal" }, { doing: "reading a terminal" }]);
});
