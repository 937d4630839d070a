import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Client, client } from "@tmpm/api/client";
import { localTransport } from "@tmpm/api/local";
import { permissions } from "../packages/fleet/src/nats/subjects.js";
import { natsServer, WITHOUT_NATS } from "../packages/fleet/test/nats-server.js";
import { CHECKOUT, eventually, execute, type Fixture, fixture } from "./fixture.js";
import { sshd, WITHOUT_SSHD } from "./sshd.js";

export const LINKS = ["ssh", "nats"] as const;
export type LinkKind = (typeof LINKS)[number];

/** The node's label on the laptop. */
export const NODE = "build1";

/** The reason why a link of that kind cannot be tried here; null if it can. */
export const WITHOUT_LINK: Readonly<Record<LinkKind, string | null>> = { ssh: WITHOUT_SSHD, nats: WITHOUT_NATS };

for (const [kind, reason] of Object.entries(WITHOUT_LINK)) if (reason !== null) console.warn(`no link over ${kind} is tried: ${reason}`);

/** A machine with an open link to another one. */
export interface Laptop {
  readonly here: Fixture;
  /** The socket at which the other machine's daemon answers. */
  readonly door: string;
  /** The other machine's daemon, through the link. */
  readonly api: Client;
  [Symbol.asyncDispose](): Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

/** `env` is the environment of a login on the other machine. */
export async function linkedLaptop(kind: LinkKind, env: Environment): Promise<Laptop> {
  const { here, close } = kind === "ssh" ? await overSsh(env) : await overNats(env);
  await eventually(async () => ((await here.api.node({ node: NODE })).presence === "online" ? true : null));
  const door = join(here.home, "run", "n", `${NODE}.sock`);
  return {
    here,
    door,
    api: client({ transport: localTransport({ socket: door }) }),
    async [Symbol.asyncDispose]() {
      await here[Symbol.asyncDispose]();
      await close();
    },
  };
}

async function overSsh(env: Environment) {
  const host = await sshd();
  const here = await fixture({ PATH: `${host.bin}:${process.env.PATH}` });
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const command = ["env", ...settings, CHECKOUT, "node", "--stdio"].join(" ");
  await here.json(["nodes", "add", NODE, "--ssh", "build1", "--command", command]);
  return { here, close: () => host[Symbol.asyncDispose]() };
}

async function overNats(env: Environment) {
  const here = await fixture();
  const server = await natsServer([
    { nkey: await keyOf(here.env), permissions: permissions.client("laptop") },
    { nkey: await keyOf(env), permissions: permissions.node(NODE) },
  ]);
  const serving = await servingNats(server.url, env);
  await here.json(["nodes", "add", NODE, "--nats", server.url, "--as", "laptop"]);
  return {
    here,
    async close() {
      await serving.end();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function keyOf(env: Environment): Promise<string> {
  const { code, stdout, stderr } = await execute([CHECKOUT, "nodes", "key"], { input: undefined, env, cwd: tmpdir() });
  if (code !== 0) throw new Error(`tmpm nodes key exited with ${code}: ${stderr}`);
  return stdout.trim();
}

/** `tmpm node --nats` of the other machine, once it answers. */
async function servingNats(url: string, env: Environment) {
  const argv = ["node", "--nats", url, "--as", NODE, "--client", "laptop"];
  const child = spawn(CHECKOUT, argv, { env, stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise<void>((settle) => child.once("close", () => settle()));
  await new Promise<void>((settle, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`tmpm node --nats exited with ${code}`)));
    createInterface({ input: child.stderr }).on("line", (line) => line.includes("answering") && settle());
  });
  return {
    async end() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
