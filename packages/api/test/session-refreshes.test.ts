import { TmpmError } from "@tmpm/core/errors";
import { expect, test } from "vitest";
import { type SessionRefreshesOptions, sessionRefreshes } from "../src/client.js";
import type { SessionAnswer, SessionList } from "../src/contracts.js";

const away = () => new TmpmError("DAEMON_UNREACHABLE", "it does not answer");
const list = { sessions: [], problems: [] } as unknown as SessionList;

/** Looks at a daemon that fails as often as is said; `again` is whether the refreshes are made again. */
function fixture(failures: number, again: boolean) {
  const [asked, done]: [string[], string[]] = [[], []];
  const pauses: number[] = [];
  let left = failures;
  const answered = async <T>(what: string, answer: T) => {
    asked.push(what);
    if (left-- > 0) throw away();
    done.push(what);
    return answer;
  };
  const options: SessionRefreshesOptions = {
    client: {
      list: () => answered("list", list),
      show: ({ session }) => answered(session, { id: session } as SessionAnswer),
    },
    listed: () => undefined,
    seen: () => undefined,
    gone: () => undefined,
    failed: () => again,
    pause: async (ms) => void pauses.push(ms),
  };
  return { refreshes: sessionRefreshes(options), asked, done, pauses };
}

test("a list that failed is made again after a pause, while that is worthwhile", async () => {
  const { refreshes, done, pauses } = fixture(2, true);
  refreshes.all();
  await expect.poll(() => done).toEqual(["list"]);
  expect(pauses.filter((ms) => ms >= 500)).toEqual([500, 1_000]);
});

test("an id that is refused for good does not delay others, and is not asked for again", async () => {
  const asked: string[] = [];
  const seen: string[] = [];
  const refreshes = sessionRefreshes({
    client: {
      list: async () => list,
      show: async ({ session }) => {
        asked.push(session);
        if (session === "damaged") throw new TmpmError("RECORD_DAMAGED", "it cannot be read");
        return { id: session } as SessionAnswer;
      },
    },
    listed: () => undefined,
    seen: ({ id }) => void seen.push(id),
    gone: () => undefined,
    failed: () => true,
    // The pause after a failure never ends.
    pause: (ms) => (ms < 500 ? Promise.resolve() : new Promise(() => undefined)),
  });
  refreshes.at("damaged");
  await expect.poll(() => asked).toEqual(["damaged"]);
  await new Promise(setImmediate);
  refreshes.at("one");
  await expect.poll(() => seen).toEqual(["one"]);
  expect(asked).toEqual(["damaged", "one"]);
});

test("otherwise it is made again with the next look", async () => {
  const { refreshes, asked, done } = fixture(1, false);
  refreshes.at("one");
  await expect.poll(() => asked).toEqual(["one"]);
  expect(done).toEqual([]);
  await new Promise(setImmediate);
  refreshes.at("two");
  await expect.poll(() => done).toEqual(["one", "two"]);
});

test("the first event is read at once, and later ones share a read after a pause", async () => {
  const reads: string[][] = [];
  let reading: string[] = [];
  let goOn: () => void = () => undefined;
  const refreshes = sessionRefreshes({
    client: {
      list: async () => list,
      show: async ({ session }) => {
        reading.push(session);
        return { id: session } as SessionAnswer;
      },
    },
    listed: () => undefined,
    seen: () => undefined,
    gone: () => undefined,
    failed: () => false,
    pause() {
      reads.push(reading);
      reading = [];
      return new Promise((resolve) => {
        goOn = resolve;
      });
    },
  });
  refreshes.at("one");
  refreshes.at("two");
  await expect.poll(() => reads).toEqual([["one", "two"]]);
  refreshes.at("one");
  refreshes.at("three");
  refreshes.at("one");
  await new Promise(setImmediate);
  expect(reading).toEqual([]);
  goOn();
  await expect
    .poll(() => reads)
    .toEqual([
      ["one", "two"],
      ["one", "three"],
    ]);
});
