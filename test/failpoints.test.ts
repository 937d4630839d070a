import type { SessionAnswer } from "@tmpm/api";
import { describe, expect, test } from "vitest";
import { eventually, type Fixture, fixture, untilNoClientConnects } from "./fixture.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? 1);
const seed = Number(process.env.TMPM_TEST_SEED ?? 0);
const RECOVERY_MS = 2_000;
/** The test machine may be busy. */
const PATIENCE_MS = 60_000;

/** Operations other than create, stop and resume, which the crash tests cover. */
const STEPS = [
  ...["intended", "asked", "killed", "stopped", "opening", "opened", "confirmed", "recorded"].map((step) => `restart.${step}`),
  ...["pause.recorded", "pause.interrupted", "unpause.recorded", "rename.intended", "rename.renamed", "rename.recorded"],
  ...["reactivate.unarchived", "reactivate.recorded", "delete.recorded", "delete.purged"],
];
/** One step of each operation, selected by the seed; the operations' own suites cover the others. All of them at full scale. */
const SAMPLE = ["restart.stopped", "restart.opened", "rename.intended", "pause.recorded", "reactivate.unarchived", "delete.recorded"];

const NEW = ["new", "--name", "demo"];
/** The last command is the one that fails. */
const COMMANDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  restart: [NEW, ["restart", "demo"]],
  pause: [NEW, ["pause", "demo", "--interrupt"]],
  unpause: [NEW, ["pause", "demo"], ["resume", "demo"]],
  rename: [NEW, ["rename", "demo", "other"]],
  reactivate: [NEW, ["rm", "demo"], ["reactivate", "demo"]],
  delete: [NEW, ["stop", "demo"], ["rm", "--purge", "demo"]],
};

const cases = (scale >= 10 ? STEPS : SAMPLE.filter((_, index) => index === seed % SAMPLE.length)).flatMap((step) =>
  (scale >= 10 ? (["kill", "throw"] as const) : [alternate(step)]).map((fault) => [step, fault] as const),
);

function operationOf(step: string): string {
  return step.slice(0, step.indexOf("."));
}

function alternate(step: string): "kill" | "throw" {
  return SAMPLE.indexOf(step) % 2 === 0 ? "kill" : "throw";
}

describe("the built daemon leaves nothing unknown, unfinished or lost after a failure at", () => {
  test.each(cases)("%s by %s", { timeout: 240_000 }, async (step, fault) => {
    await using w = await fixture();
    const commands = COMMANDS[operationOf(step)] ?? [];
    expect((await w.tmpm(["daemon", "start"], { env: { TMPM_FAILPOINT: `${step}:${fault}` } })).code).toBe(0);
    for (const command of commands.slice(0, -1)) await w.json(command);
    const before = await w.api.list({ all: true });
    const failed = await w.tmpm(commands.at(-1) ?? []);
    expect(failed.code).not.toBe(0);
    const [session, tookMs] = await settled(w);
    console.log(`${step} by ${fault}: settled after ${(tookMs / RECOVERY_MS).toFixed(2)} of the time allowed`);
    const [known] = before.sessions;
    if (known !== undefined && operationOf(step) !== "delete") expect(session?.id).toBe(known.id);
    await expectNothingUnknown(w, session);
    if (session?.state === "stopped" || session?.state === "errored") {
      expect((await w.api.resume({ session: session.id })).state).toBe("active");
    }
    expect((await w.api.create({ name: "next", cwd: w.dir })).state).toBe("active");
  });
});

/** The only session once none of its operations is unfinished, or null; and the time until then. */
async function settled(w: Fixture): Promise<readonly [SessionAnswer | undefined, number]> {
  await w.tmpm(["ls"]);
  const started = Date.now();
  const session = await eventually(async () => {
    const { sessions } = await w.api.list({ all: true });
    return sessions.every(({ intent }) => intent === null) ? { found: sessions[0] } : null;
  }, PATIENCE_MS);
  return [session.found, Date.now() - started];
}

/** Every pane with a tag belongs to the session. */
async function expectNothingUnknown(w: Fixture, session: SessionAnswer | undefined): Promise<void> {
  if (session?.state === "active") await untilNoClientConnects(w, session.id);
  const listed = await w.tmux("list-panes", "-a", "-F", "#{@tmpm_id} #{pane_id} #{session_name}").catch(() => "");
  const tagged = listed.split("\n").filter((row) => /^[0-9a-f-]{36} /.test(row));
  const expected = session?.state === "active" ? [`${session.id} ${session.pane?.pane_id} ${session.tmux_name}`] : [];
  expect(tagged).toEqual(expected);
}
