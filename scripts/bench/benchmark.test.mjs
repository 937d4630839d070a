import { spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const module = pathToFileURL(new URL("./benchmark.mjs", import.meta.url).pathname).href;

function program(body) {
  const text = `import { atEnd, benchmark, interruption } from ${JSON.stringify(module)}; await benchmark(async () => { ${body} });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", text], { stdio: ["ignore", "pipe", "pipe"] });
  const output = [];
  child.stdout.on("data", (chunk) => output.push(chunk));
  return { child, output: () => Buffer.concat(output).toString("utf8"), closed: once(child, "close") };
}

const MAKE = 'atEnd(() => console.log("first")); atEnd(async () => console.log("second"));';

test.each(["SIGTERM", "SIGINT", "SIGHUP"])("a benchmark that %s ends runs its clean-up in reverse order", async (signal) => {
  const { child, output, closed } = program(`${MAKE} console.log("made"); await new Promise(() => setInterval(() => 0, 1000));`);
  await once(child.stdout, "data");
  child.kill(signal);
  expect(await closed).toEqual([{ SIGTERM: 143, SIGINT: 130, SIGHUP: 129 }[signal], null]);
  expect(output()).toBe("made\nsecond\nfirst\n");
});

test("a benchmark that is interrupted during its work ends with the signal's code, even if the work then fails", async () => {
  const { child, output, closed } = program(
    `setInterval(() => 0, 1000); let fail; const work = new Promise((_, reject) => { fail = reject; }); atEnd(() => fail(new Error("interrupted"))); console.log("made"); await work;`,
  );
  await once(child.stdout, "data");
  child.kill("SIGTERM");
  expect(await closed).toEqual([143, null]);
  expect(output()).toBe("made\n");
});

test("a benchmark can detect its interruption", async () => {
  const { child, output, closed } = program(
    'atEnd(() => console.log(interruption.aborted)); console.log("made"); await new Promise(() => setInterval(() => 0, 1000));',
  );
  await once(child.stdout, "data");
  child.kill("SIGTERM");
  expect(await closed).toEqual([143, null]);
  expect(output()).toBe("made\ntrue\n");
});

test("a failed benchmark runs its clean-up, and fails", async () => {
  const { output, closed } = program(`${MAKE} throw new Error("no");`);
  expect(await closed).toEqual([1, null]);
  expect(output()).toBe("second\nfirst\n");
});

test("clean-up that ran early is not repeated", async () => {
  const { output, closed } = program('const undo = atEnd(() => console.log("undone")); await undo(); console.log("end");');
  expect(await closed).toEqual([0, null]);
  expect(output()).toBe("undone\nend\n");
});
