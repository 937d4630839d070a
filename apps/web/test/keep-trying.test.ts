import { TmpmError } from "@tmpm/core/errors";
import { expect, test } from "vitest";
import { keepTrying } from "../src/daemon/keep-trying.js";

const away = () => new TmpmError("DAEMON_UNREACHABLE", "it does not answer");

test("a request is made again, after longer and longer pauses, until it is answered", async () => {
  const pauses: number[] = [];
  const answers = [away(), away(), "operator"];
  const request = async () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  expect(await keepTrying(request, { isWanted: () => true, pause: async (ms) => void pauses.push(ms) })).toBe("operator");
  expect(pauses).toEqual([500, 1_000]);
});

test("stops repeating a request that its caller has abandoned", async () => {
  let wanted = true;
  const pause = async () => {
    wanted = false;
  };
  expect(await keepTrying(() => Promise.reject(away()), { isWanted: () => wanted, pause })).toBeNull();
});
