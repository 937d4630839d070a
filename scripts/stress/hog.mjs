import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";

/** Keeps one core (`cpu`) or the disk (`disk FILE`) busy until its input ends, which happens when its parent ends. */
const [kind, file] = process.argv.slice(2);
const LAP_MS = 50;
const BLOCK = Buffer.alloc(1024 * 1024, 1);

const work = kind === "disk" ? writeOnce : count;

function count() {
  const end = Date.now() + LAP_MS;
  while (Date.now() < end);
}

function writeOnce() {
  const handle = openSync(file, "w", 0o600);
  for (let block = 0; block < 4; block++) writeSync(handle, BLOCK);
  fsyncSync(handle);
  closeSync(handle);
}

process.stdin.resume().once("close", () => {
  if (kind === "disk") rmSync(file, { force: true });
  process.exit(0);
});
const again = () => {
  work();
  setImmediate(again);
};
again();
