import type { StopAnswer } from "@tmpm/api";
import { expect, test } from "vitest";
import { eventually, type Fixture, isAlive, sharedFixture } from "./fixture.js";

const shared = sharedFixture();

/** A user's window or pane in a tmux session of tmpm. */
async function opened(w: Fixture, { verb, session }: { readonly verb: string; readonly session: string }): Promise<number> {
  const { tmux_name } = await w.api.show({ session });
  return Number((await w.tmux(verb, "-t", `=${tmux_name}:`, "-d", "-P", "-F", "#{pane_pid}", "sleep 1000000")).trim());
}

const sessions = async (w: Fixture) => (await w.tmux("list-sessions", "-F", "#{session_name}")).trim().split("\n");

test.each([
  { what: "a window", verb: "new-window" },
  { what: "a split pane", verb: "split-window" },
])("$what opened by a user in a session survives its stop, which reports where it is, and the session resumes", async ({ what, verb }) => {
  const w = shared();
  const name = what.replaceAll(" ", "-");
  await w.json(["new", "--name", name, "--", "cat"]);
  const { tmux_name } = await w.api.show({ session: name });
  const pid = await opened(w, { verb, session: name });
  const stopped = await w.json<StopAnswer>(["stop", name]);
  const kept = /in tmux session (\S+)$/.exec(stopped.left_alone ?? "")?.[1] ?? "";
  expect(await sessions(w)).toContain(kept);
  expect(kept).not.toBe(tmux_name);
  expect(await isAlive(pid)).toBe(true);
  await w.json(["resume", name]);
  expect((await w.api.show({ session: name })).state).toBe("active");
  expect(await isAlive(pid)).toBe(true);
  await w.json(["stop", name]);
  await w.tmux("kill-session", "-t", `=${kept}:`);
});

test("a user's window also survives a program that ends by itself", async () => {
  const w = shared();
  await w.json(["new", "--name", "ends", "--", "sh", "-c", "read line"]);
  const pid = await opened(w, { verb: "new-window", session: "ends" });
  await w.json(["send", "ends", "go"]);
  await eventually(async () => ((await w.api.show({ session: "ends" })).state === "stopped" ? true : null));
  await eventually(async () => ((await sessions(w)).some((name) => name.includes("-kept-")) ? true : null));
  expect(await isAlive(pid)).toBe(true);
});
