import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const SSHD = ["/usr/sbin/sshd", "/usr/local/sbin/sshd"].find((path) => existsSync(path)) ?? null;

/** The reason why no test can use a real sshd here; null if it can. */
export const WITHOUT_SSHD = SSHD === null ? "sshd is not installed (Debian: openssh-server)" : null;

/** A real sshd with its own keys and configuration on loopback, and an `ssh` first on the PATH that knows it as `build1`. */
export interface Sshd {
  /** A folder with that `ssh`. */
  readonly bin: string;
  /** The login user's home folder there. */
  readonly home: string;
  /** Ends the daemon and the tmux server that run with that home. */
  endHome(): Promise<void>;
  start(): Promise<void>;
  /** Ends it and every connection. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function sshd(): Promise<Sshd> {
  const dir = await mkdtemp(join(tmpdir(), "tmpm-sshd-"));
  const at = (name: string) => join(dir, name);
  const port = await freePort();
  /** Without a tmpm on the path, and with its own data folder. */
  const login = { HOME: at("home"), TMPM_HOME: at("home/tmpm"), PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
  for (const name of ["host_key", "user_key"]) await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", at(name)]);
  await writeFile(at("authorized_keys"), await readFile(at("user_key.pub")), { mode: 0o600 });
  await writeFile(at("known_hosts"), `[127.0.0.1]:${port} ${await readFile(at("host_key.pub"), "utf8")}`);
  // Privilege separation needs this folder, which the system's own service creates.
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true, mode: 0o755 });
  await writeFile(
    at("sshd_config"),
    [
      `Port ${port}`,
      "ListenAddress 127.0.0.1",
      `HostKey ${at("host_key")}`,
      `AuthorizedKeysFile ${at("authorized_keys")}`,
      "StrictModes no",
      "UsePAM no",
      "PidFile none",
      "PasswordAuthentication no",
      "PermitRootLogin prohibit-password",
      `SetEnv ${Object.entries(login)
        .map(([name, value]) => `${name}=${value}`)
        .join(" ")}`,
    ].join("\n"),
  );
  await writeFile(
    at("ssh_config"),
    [
      "Host build1",
      "  HostName 127.0.0.1",
      `  Port ${port}`,
      `  User ${userInfo().username}`,
      `  IdentityFile ${at("user_key")}`,
      "  IdentitiesOnly yes",
      `  UserKnownHostsFile ${at("known_hosts")}`,
      "  StrictHostKeyChecking yes",
    ].join("\n"),
  );
  await run("mkdir", [at("bin"), at("home")]);
  const { stdout } = await run("sh", ["-c", "command -v ssh"]);
  await writeFile(at("bin/ssh"), `#!/bin/sh\nexec ${stdout.trim()} -F ${at("ssh_config")} "$@"\n`);
  await chmod(at("bin/ssh"), 0o755);
  let server: ChildProcess | null = null;

  async function start(): Promise<void> {
    // A separate process group: every connection is a child that outlives the listener.
    const started = spawn(SSHD ?? "sshd", ["-D", "-e", "-f", at("sshd_config")], { stdio: ["ignore", "ignore", "pipe"], detached: true });
    server = started;
    let log = "";
    await new Promise<void>((resolve, reject) => {
      started.stderr?.setEncoding("utf8").on("data", (text: string) => {
        log += text;
        if (log.includes("Server listening")) resolve();
      });
      started.on("error", reject);
      started.on("exit", () => reject(new Error(`sshd ended: ${log}`)));
    });
  }

  async function stop(): Promise<void> {
    const running = server;
    server = null;
    if (running?.pid === undefined || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    const children = await childrenOf(running.pid);
    running.kill("SIGTERM");
    for (const pid of children) end(pid);
    await ended;
  }

  await start();
  return {
    bin: at("bin"),
    home: at("home"),
    async endHome() {
      await run(at("home/.local/bin/tmpm"), ["daemon", "stop"], { env: login });
      // The server ends with its last session, if it still runs.
      await run("tmux", ["-S", at("home/tmpm/run/tmux.sock"), "kill-server"]).catch(() => undefined);
    },
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** The processes of a listener's connections, and their children. */
async function childrenOf(pid: number): Promise<readonly number[]> {
  const { stdout } = await run("ps", ["-e", "-o", "pid=,ppid=,comm="]);
  const rows = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .map(([own, parent, name]) => ({ own: Number(own), parent: Number(parent), name }));
  const below = (parent: number): readonly number[] =>
    rows.filter((row) => row.parent === parent && row.name?.startsWith("sshd")).flatMap(({ own }) => [own, ...below(own)]);
  return below(pid);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
