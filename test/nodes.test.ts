import { mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FleetList, NodeAnswer, NodePrompt, NodePromptList, SessionAnswer } from "@tmpm/api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sshPair } from "./ssh-pair.js";
import { WITHOUT_SSHD } from "./sshd.js";

if (WITHOUT_SSHD !== null) console.warn(`no node over ssh is tried: ${WITHOUT_SSHD}`);

/** Each test leaves the laptop without nodes. */
describe.skipIf(WITHOUT_SSHD !== null)("node over ssh", () => {
  let both: Awaited<ReturnType<typeof sshPair>>;
  beforeAll(async () => {
    both = await sshPair();
  });
  afterAll(() => both[Symbol.asyncDispose](), 120_000);

  test("runs commands with the results of its own command line", async () => {
    const { here, there } = both;
    const node = await both.add();
    expect(node).toMatchObject({ label: "build1", presence: "online", reason: null, home: there.env.HOME, same_node_as: [] });
    expect(node.node_id).toMatch(/^[0-9a-f]{32}$/);

    const made = await here.json<SessionAnswer>(["new", "--on", "build1", "--name", "demo", "--cwd", there.dir]);
    expect((await there.json<SessionAnswer>(["show", "demo"])).id).toBe(made.id);
    await here.json(["new", "--name", "own"]);

    await here.json(["send", "build1:demo", "echo $((40 + 2))-over-ssh"]);
    await here.json(["wait", "build1:demo"]);
    await expect.poll(async () => (await there.api.capture({ session: "demo" })).lines).toContain("42-over-ssh");
    expect((await here.tmpm(["capture", "build1:demo"])).stdout).toContain("42-over-ssh");
    // Both machines have a session with that name, and a name is resolved on the machine in its address.
    expect((await here.tmpm(["show", "demo"])).code).toBe(3);

    // On a busy machine a node may be late.
    await expect.poll(async () => (await here.api.fleet({})).complete).toBe(true);
    const list = await here.json<FleetList>(["ls"]);
    expect(list.sessions.map(({ node: label, name }) => `${label} ${name}`).toSorted()).toEqual(["build1 demo", "null own"]);
    expect((await here.tmpm(["ls"])).stdout).toMatch(/^build1:demo /m);
    expect((await here.json<FleetList>(["ls", "--node", "build1"])).sessions.map(({ name }) => name)).toEqual(["demo"]);
    expect((await here.json<{ sessions: object[] }>(["ls", "--on", "build1"])).sessions).toHaveLength(1);

    const chosen = await here.tmpm(["new", "--on", "any", "--label", "gpu", "--name", "chosen", "--cwd", there.dir, "--", "cat"]);
    expect(chosen).toMatchObject({ code: 0, stderr: expect.stringContaining("on build1: the only machine with label gpu that answers") });
    expect(await there.json(["stop", "chosen"])).toMatchObject({ state: "stopped" });

    const stopped = await here.tmpm(["stop", "build1:demo", "own", "--json"]);
    expect(
      stopped.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).state),
    ).toEqual(["stopped", "stopped"]);

    expect((await here.json<NodeAnswer>(["nodes", "set", "build1", "--label", "big", "--label", "arm"])).labels).toEqual(["big", "arm"]);
    expect((await here.tmpm(["new", "--on", "any", "--label", "gpu"])).code).toBe(3);
    const wrong = await here.tmpm(["nodes", "set", "build1", "--label", "arm", "--label", "Big One"]);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('--label "Big One": use lower-case') });
    expect((await here.json<NodeAnswer>(["nodes", "set", "build1", "--no-labels"])).labels).toEqual([]);

    expect((await here.tmpm(["nodes", "doctor"])).stdout).toMatch(/build1 +answers +ok/);
    expect((await here.tmpm(["nodes", "rm", "build1"])).stdout).toBe("removed build1\n");
    expect((await here.json<{ nodes: object[] }>(["nodes"])).nodes).toEqual([]);
    expect(await there.json(["show", "demo"])).toMatchObject({ state: "stopped" });
    for (const session of ["demo", "chosen"]) await there.api.remove({ session });
    await here.api.remove({ session: "own" });
  });

  test("that is unreachable fails at once, and its sessions are shown as of its last response", async () => {
    const { here, there, host } = both;
    await both.add();
    await here.json(["new", "--on", "build1", "--name", "demo", "--cwd", there.dir]);
    await expect.poll(async () => (await here.api.fleet({})).sessions.length).toBe(1);
    await host.stop();
    await expect.poll(async () => (await here.api.node({ node: "build1" })).presence).toBe("offline");

    const refused = await here.tmpm(["send", "build1:demo", "hello", "--json"]);
    expect(refused.code).toBe(6);
    expect(JSON.parse(refused.stdout).error).toMatchObject({ code: "NODE_OFFLINE", effect: "none", details: { node: "build1" } });

    const list = await here.json<FleetList>(["ls"]);
    expect(list).toMatchObject({
      complete: false,
      nodes: [
        { node: null, complete: true },
        { node: "build1", complete: false },
      ],
    });
    expect(list.sessions).toMatchObject([{ name: "demo", node: "build1", activity: { state: "unknown" }, decision: null }]);
    const text = await here.tmpm(["ls"]);
    expect(text.stdout).toMatch(/build1:demo .*unknown \(was \w+\)/);
    expect(text.stderr).toMatch(/incomplete: build1 does not answer \(.+\); its sessions are shown as of \d\d:\d\d/);

    // Also by a daemon that has only read the records.
    await here.stopDaemon();
    expect((await here.json<FleetList>(["ls"])).sessions.map(({ name }) => name)).toEqual(["demo"]);

    await host.start();
    await expect.poll(async () => (await here.api.fleet({})).complete).toBe(true);
    expect((await here.json<SessionAnswer>(["show", "build1:demo"])).state).toBe("active");
    await here.api.removeNode({ node: "build1" });
  });

  test("gets a prompt of --when-online as soon as it is reachable again", async () => {
    const { here, there, host } = both;
    await both.add();
    await here.json(["new", "--on", "build1", "--name", "away", "--cwd", there.dir]);
    expect((await here.tmpm(["send", "away", "--when-online", "echo never"])).code).toBe(2);
    await host.stop();
    await expect.poll(async () => (await here.api.node({ node: "build1" })).presence).toBe("offline");

    const wait = ["send", "build1:away", "--when-online", "--expires", "2h"];
    const kept = await here.json<NodePrompt>([...wait, "--key", "job-1", "echo $((40 + 2))-when-online"]);
    expect(kept).toMatchObject({ node: "build1", session: "away", state: "waiting", key: "job-1" });
    // The same key, as after a lost response.
    expect((await here.json<NodePrompt>([...wait, "--key", "job-1", "echo $((40 + 2))-when-online"])).id).toBe(kept.id);
    const second = await here.tmpm([...wait, "echo never"]);
    expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining("it waits for build1; `tmpm nodes cancel ") });
    expect((await here.tmpm(["ls"])).stderr).toContain("2 prompts wait for build1; `tmpm nodes waiting` lists them");
    expect((await here.tmpm(["nodes"])).stdout).toMatch(/build1 .*2 prompts wait for it/);
    const [, cancelled] = (await here.json<NodePromptList>(["nodes", "waiting", "build1"])).prompts;
    expect((await here.tmpm(["nodes", "cancel", cancelled?.id ?? ""])).stdout).toBe("build1:away: cancelled\n");

    // The daemon that keeps it may be replaced meanwhile.
    await here.stopDaemon();
    expect((await here.tmpm(["nodes", "waiting"])).stdout).toMatch(/build1:away .*waiting .*echo/);
    await host.start();
    await expect
      .poll(async () => (await here.api.nodePrompts({ node: ["build1"] })).prompts.map(({ state }) => state))
      .toEqual(["sent", "cancelled"]);
    await expect.poll(async () => (await there.api.capture({ session: "away" })).lines).toContain("42-when-online");
    const { turns } = await there.api.turns({ session: "away" });
    expect(turns.map(({ key, prompt }) => [key, prompt])).toEqual([["job-1", "echo $((40 + 2))-when-online"]]);
    await there.api.remove({ session: "away" });
    await here.api.removeNode({ node: "build1" });
  });

  test("without tmpm gets it over ssh, if that was requested and confirmed", async () => {
    const { here, host } = both;
    const add = ["nodes", "add", "bare", "--ssh", "build1", "--install"];
    const refused = await here.tmpm(add);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("Pass --yes") });
    expect(refused.stderr).toContain(`--install copies tmpm `);
    expect(refused.stderr).toContain(`${host.home}/.local/bin/tmpm  a link to it`);
    expect(await readdir(host.home)).toEqual([]);

    const command = join(host.home, ".local", "bin", "tmpm");
    await mkdir(dirname(command), { recursive: true });
    await writeFile(command, "the user's own");
    const file = await here.tmpm([...add, "--yes"]);
    expect(file).toMatchObject({
      code: 6,
      stderr: expect.stringContaining(`${command} on build1 was not made by --install: it is a file`),
    });
    expect(await readFile(command, "utf8")).toBe("the user's own");
    // As npm makes them; also one whose target does not exist.
    for (const target of ["../lib/node_modules/@tmpm/cli/dist/main.cjs", `${host.home}/.local/share/tmpm/../other`]) {
      await rm(command);
      await symlink(target, command);
      const link = await here.tmpm([...add, "--yes"]);
      expect(link).toMatchObject({ code: 6, stderr: expect.stringContaining(`it is a link to ${target}`) });
      expect(link.stderr).toContain("mv .local/bin/tmpm .local/bin/tmpm.old");
      expect(await readlink(command)).toBe(target);
    }
    await rm(command);
    await symlink(`${host.home}/.local/share/tmpm/0.0.1/main.cjs`, command);

    await here.json([...add, "--yes"]);
    await expect.poll(async () => (await here.api.node({ node: "bare" })).presence).toBe("online");
    const node = await here.json<NodeAnswer>(["nodes", "show", "bare"]);
    expect([node.version, node.ssh.command, node.home]).toEqual([
      (await here.api.health()).version,
      "$HOME/.local/bin/tmpm node --stdio",
      host.home,
    ]);
    // Its daemon is the copied one, too.
    await here.json(["new", "--on", "bare", "--name", "installed", "--", "cat"]);
    expect((await here.json<FleetList>(["ls", "--node", "bare"])).sessions.map(({ name }) => name)).toEqual(["installed"]);
    await here.json(["rm", "bare:installed"]);
    await here.tmpm(["nodes", "rm", "bare"]);
    const again = await here.tmpm([...add, "--yes"]);
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("is on build1 already") });
    await here.api.removeNode({ node: "bare" });
    await host.endHome();
  });

  test("that cannot be reached is reported with the reason", async () => {
    const { here } = both;
    const shown = (label: string) => here.api.node({ node: label });
    await here.json(["nodes", "add", "bare", "--ssh", "build1", "--command", "no-such-tmpm node --stdio"]);
    await expect.poll(async () => (await shown("bare")).reason).toContain("tmpm was not found on build1");
    expect((await here.json<NodeAnswer>(["nodes", "show", "bare"])).hint).toContain("npm install --global @tmpm/cli");
    await here.json(["nodes", "add", "closed", "--ssh", "no-such-host.invalid"]);
    await expect.poll(async () => (await shown("closed")).reason).toContain("ssh cannot reach no-such-host.invalid");
    expect((await here.tmpm(["nodes", "doctor", "bare"])).code).toBe(1);
    const unknown = await here.tmpm(["show", "build9:demo", "--json"]);
    expect([unknown.code, JSON.parse(unknown.stdout).error.code]).toEqual([3, "NODE_NOT_FOUND"]);
    expect((await here.tmpm(["nodes", "add", "x", "--ssh", "-oProxyCommand=touch"])).code).toBe(2);
    for (const node of ["bare", "closed"]) await here.api.removeNode({ node });
  });

  test("with a copied home folder is reported", async () => {
    await both.add();
    expect((await both.add("copy")).same_node_as).toEqual(["build1"]);
    expect((await both.here.tmpm(["nodes", "doctor", "copy"])).stdout).toMatch(/own key +failed +has the same key as build1/);
  });
});
