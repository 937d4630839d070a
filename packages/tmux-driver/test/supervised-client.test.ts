import { expect, test } from "vitest";
import { supervisedClient } from "../src/control/supervised-client.js";

test("a client that cannot be spawned has ended, and ignores input", async () => {
  const tooLong = "x".repeat(4 * 1024 * 1024);
  const client = supervisedClient(["true"], { PATH: process.env.PATH ?? "", TOO_LONG: tooLong });
  client.input.write("list-panes\n");
  await client.ended;
  expect(client.pid).toBeNull();
  client.end();
});
