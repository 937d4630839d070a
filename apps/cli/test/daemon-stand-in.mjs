// The parts of a daemon that the command line observes: a lock, a socket, a log and an exit.
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";

const { STAND_IN_DIR: dir, STAND_IN_FAULT: fault, TMPM_SOCKET: socket } = process.env;
const { version } = createRequire(import.meta.url)("../package.json");
const say = (entry) => console.log(JSON.stringify({ time: new Date().toISOString(), pid: process.pid, ...entry }));

if (process.argv.includes("--doctor")) {
  console.log(JSON.stringify({ checks: [{ id: "tmux-utf8", name: "tmux UTF-8", status: "ok", message: "shown", hint: null }] }));
  process.exit(0);
}
say({
  level: 30,
  msg: "begun",
  cwd: process.cwd(),
  TMUX: process.env.TMUX ?? null,
  home: process.env.TMPM_HOME,
  shows: process.env.TMPM_TOKEN ?? null,
});
if (fault === "known") {
  say({ level: 50, code: "TMUX_TOO_OLD", hint: "Install a newer one.", details: { found: "1.0" }, msg: "tmux 1.0 is too old" });
  process.exit(6);
}
if (fault === "elsewhere") {
  say({ level: 50, code: "DAEMON_RUNNING", hint: null, details: { pid: 4711, dir }, msg: `process 4711 is the daemon of ${dir}` });
  process.exit(4);
}
if (fault === "crash") {
  console.error("a stack trace");
  process.exit(70);
}
if (fault === "locked-once" && !existsSync(`${dir}/was-locked`)) {
  writeFileSync(`${dir}/was-locked`, "");
  process.exit(4);
}
try {
  writeFileSync(`${dir}/lock`, String(process.pid), { flag: "wx" });
} catch {
  process.exit(4);
}

const answers = {
  "/healthz": {
    status: "ok",
    version,
    pid: process.pid,
    started_at: "2026-01-01T00:00:00Z",
    home: dir,
    store: { state: "ok", message: null },
    listening: process.env.TMPM_LISTEN ? [`http://${process.env.TMPM_LISTEN}`] : [],
  },
  "/v1/sessions": { sessions: [], problems: [], store: { state: "ok", message: null }, next: null },
  "/v1/doctor": { checks: [{ id: "records", name: "records", status: "ok", message: "0 readable", hint: null }] },
  "/v1/daemon/shutdown": { stopping: true },
};
const server = createServer((request, response) => {
  response.writeHead(200, { "tmpm-version": version }).end(JSON.stringify(answers[new URL(request.url, "http://daemon").pathname] ?? {}));
  if (request.url === "/v1/daemon/shutdown") stop();
});
function stop() {
  server.close();
  rmSync(`${dir}/lock`, { force: true });
  setImmediate(() => process.exit(0));
}
process.on("SIGTERM", stop);
server.listen(socket);
// Longer than any test needs it.
setTimeout(stop, 60_000).unref();
