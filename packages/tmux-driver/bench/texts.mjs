import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { figure, number } from "../../../scripts/bench/figures.mjs";
import { median } from "../../../scripts/bench/measure.mjs";
import { byTurns, speedup, until } from "./fixture.mjs";

/** From the call until a raw reader has every byte. */
export async function texts(fixture, { scale }) {
  const { driver, folder, feed } = fixture;
  const path = join(folder, "read");
  const { identity } = await fixture.create(["/bin/sh", "-c", 'stty raw -echo; exec cat >"$1"', "sh", path]);
  await until(() => sizeOf(path) === 0);
  const delivered = async (text, send) => {
    const size = sizeOf(path) + Buffer.byteLength(text);
    await send();
    await until(() => sizeOf(path) >= size, 1);
  };
  for (const [name, bytes] of [
    ["1 kB", 1000],
    ["100 kB", 100_000],
    ["1 MB", 1_000_000],
  ]) {
    const text = "the text of a prompt, with 'quotes' and \\ and é\n".repeat(bytes / 50 + 1).slice(0, bytes);
    const loaded = ["load-buffer", "-b", "bench", "-", ";", "paste-buffer", "-p", "-r", "-d", "-b", "bench", "-t", identity.pane_id];
    const [pasted, shelled] = await byTurns(5 * scale, [
      () => delivered(text, () => driver.paste(identity, text)),
      () => delivered(text, () => feed(text, ...loaded)),
    ]);
    figure(`paste of ${name} against spawned load-buffer + paste-buffer`, {
      value: speedup(pasted, shelled),
      detail: `${number(median(pasted))} against ${number(median(shelled))} ms`,
    });
    if (bytes < 1_000_000) continue;
    const [again, line] = await byTurns(2 * scale, [
      () => delivered(text, () => driver.paste(identity, text)),
      () => delivered(text, () => oneLine(fixture, { identity, text })),
    ]);
    figure("1 MB text by buffer against one `send-keys -l` line", {
      value: speedup(again, line),
      target: 5,
      detail: `${number(median(again))} against ${number(median(line))} ms`,
    });
  }
}

/** A control-mode client without buffers. */
function oneLine({ folder }, { identity, text }) {
  const word = text.replace(/[\\"$~]/g, "\\$&").replaceAll("\n", "\\012");
  return new Promise((resolve, reject) => {
    const client = spawn("tmux", ["-u", "-S", join(folder, "s"), "-C", "attach", "-t", "=s0:"], { stdio: ["pipe", "ignore", "ignore"] });
    client.once("error", reject);
    client.once("close", resolve);
    client.stdin.write(`send-keys -l -t ${identity.pane_id} -- "${word}"\ndetach-client\n`);
  });
}

function sizeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.size ?? -1;
}
