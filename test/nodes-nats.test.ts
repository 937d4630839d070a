import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { FleetList, NodeAnswer, SessionAnswer, UploadsAnswer } from "@tmpm/api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type NatsFleet, natsFleet, WITHOUT_NATS } from "./nats-fleet.js";

const run = promisify(execFile);
const CHECKOUT = resolve(import.meta.dirname, "../tmpm");

/** Five daemons start. */
const START_MS = 600_000;

if (WITHOUT_NATS !== null) console.warn(`no node on a NATS server is tried: ${WITHOUT_NATS}`);

describe.skipIf(WITHOUT_NATS !== null)("nodes on a NATS server, started as in examples/fleet", () => {
  let fleet: NatsFleet;
  const here = (argv: readonly string[]) => fleet.tmpm("laptop", argv);
  const json = <T>(argv: readonly string[]) => fleet.json<T>("laptop", argv);
  const list = () => json<FleetList>(["ls"]);
  /** The current list, without starting a program. */
  const asked = () => fleet.api("laptop").fleet({});
  const complete = async () => (await asked()).complete;

  beforeAll(async () => {
    fleet = await natsFleet();
  }, START_MS);
  afterAll(() => fleet[Symbol.asyncDispose](), START_MS);

  test("run commands within the rights granted by each node", { timeout: 600_000 }, async () => {
    await expect.poll(complete, { timeout: 120_000 }).toBe(true);

    const node = await json<NodeAnswer>(["nodes", "show", "build1"]);
    expect(node).toMatchObject({ ssh: { host: "" }, nats: { node: "build1", client: "laptop" }, presence: "online", same_node_as: [] });
    expect(node.home).toBe(fleet.env("build1").HOME);
    expect((await here(["nodes", "doctor", "build1"])).stdout).toMatch(/build1 +answers +ok/);

    const made = await json<SessionAnswer>(["new", "--on", "build1", "--name", "demo"]);
    expect((await fleet.json<SessionAnswer>("build1", ["show", "demo"])).id).toBe(made.id);
    await json(["send", "build1:demo", "echo $((40 + 2))-over-nats"]);
    await json(["wait", "build1:demo"]);
    await expect.poll(async () => (await fleet.api("build1").capture({ session: "demo" })).lines).toContain("42-over-nats");
    expect((await here(["capture", "build1:demo"])).stdout).toContain("42-over-nats");
    expect((await fleet.json<{ sessions: object[] }>("build2", ["ls"])).sessions).toEqual([]);

    // Larger than one message, and unchanged on arrival.
    const large = randomBytes(3 * 1024 * 1024);
    await writeFile(join(fleet.dir, "laptop", "large.bin"), large);
    await json(["send", "build1:demo", ":", "--attach", join(fleet.dir, "laptop", "large.bin")]);
    const [upload] = (await json<UploadsAnswer>(["uploads", "build1:demo"])).uploads;
    expect(upload?.ref_id).toBe(`sha256:${createHash("sha256").update(large).digest("hex")}`);

    // build3 gave the laptop the rights of an observer.
    const refused = await here(["new", "--on", "build3", "--name", "never", "--json"]);
    expect(JSON.parse(refused.stdout).error).toMatchObject({ code: "SCOPE_REFUSED", effect: "none" });
    expect((await fleet.json<{ sessions: object[] }>("build3", ["ls"])).sessions).toEqual([]);
  });

  test("are shown as of their last response while the server is down, and updated once it is back without data", {
    timeout: 600_000,
  }, async () => {
    await json(["new", "--on", "build1", "--name", "kept"]);
    await expect.poll(complete, { timeout: 120_000 }).toBe(true);

    process.kill(await fleet.pid("nats"), "SIGKILL");
    const presence = async () => (await fleet.api("laptop").node({ node: "build1" })).presence;
    await expect.poll(presence, { timeout: 120_000 }).toBe("offline");
    const refused = await fleet.tmpm("laptop", ["send", "build1:kept", "echo never", "--json"]);
    expect(JSON.parse(refused.stdout).error).toMatchObject({ code: "NODE_OFFLINE", effect: "none", details: { node: "build1" } });
    const listed = await list();
    expect(listed.complete).toBe(false);
    expect(listed.sessions).toContainEqual(
      expect.objectContaining({ name: "kept", node: "build1", activity: expect.objectContaining({ state: "unknown" }) }),
    );
    // Queries on the machine itself need no server.
    expect(await fleet.json("build1", ["show", "kept"])).toMatchObject({ state: "active" });

    await fleet.restartServer();
    await expect.poll(complete, { timeout: 120_000 }).toBe(true);
    await json(["send", "build1:kept", "echo $((6 * 7))-again"]);
    await expect.poll(async () => (await fleet.api("build1").capture({ session: "kept" })).lines).toContain("42-again");
    expect((await here(["capture", "build1:kept"])).stdout).toContain("42-again");
  });

  test("that sleep are reported as missing from the list, and return when they wake", { timeout: 600_000 }, async () => {
    const parts = async () => new Map((await asked()).nodes.map((part) => [part.node, part]));
    await json(["new", "--on", "build2", "--name", "demo"]);
    await expect.poll(async () => [...(await parts()).values()].every(({ complete }) => complete), { timeout: 120_000 }).toBe(true);

    const pid = await fleet.pid("build2");
    process.kill(pid, "SIGSTOP");
    try {
      await expect.poll(async () => (await parts()).get("build2"), { timeout: 120_000 }).toMatchObject({ complete: false });
      const listed = (await list()).nodes.find(({ node }) => node === "build2");
      expect(listed?.reason).toMatch(/no answer within 300 ms|does not answer|silent/);
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await expect.poll(async () => (await parts()).get("build2")?.complete, { timeout: 120_000 }).toBe(true);
    expect((await json<SessionAnswer>(["show", "build2:demo"])).state).toBe("active");
  });

  test("attach a session in this terminal, without ssh", { timeout: 600_000 }, async () => {
    await json(["new", "--on", "build1", "--name", "shown"]);
    const socket = join(fleet.dir, "person.sock");
    const tmux = async (...argv: readonly string[]) =>
      (await run("tmux", ["-u", "-S", socket, ...argv], { env: fleet.env("laptop") })).stdout;
    try {
      await tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", "bash", "--norc");
      const screen = () => tmux("capture-pane", "-p");
      await tmux("send-keys", `${CHECKOUT} attach build1:shown`, "Enter");
      await expect.poll(() => tmux("display-message", "-p", "#{alternate_on}"), { timeout: 120_000 }).toContain("1");
      await tmux("send-keys", "echo $((40 + 2))-typed", "Enter");
      await expect.poll(screen, { timeout: 120_000 }).toContain("42-typed");
      const asked = async () => {
        await tmux("send-keys", "stty size", "Enter");
        return screen();
      };
      await expect.poll(asked, { timeout: 120_000, interval: 1_000 }).toMatch(/^30 100$/m);
      await tmux("send-keys", "C-\\", "C-\\");
      await expect.poll(screen, { timeout: 120_000 }).toContain("detached from build1:shown");
      expect(await fleet.json("build1", ["show", "shown"])).toMatchObject({ state: "active" });
    } finally {
      await tmux("kill-server").catch(() => undefined);
    }
  });
});
