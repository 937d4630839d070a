import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * An npm registry on 127.0.0.1 with a user whose home is empty. Packages that were not published here come from the default registry of
 * npm.
 */
export interface NpmRegistry {
  /** The environment of a user who installs from it: an empty home and an npm cache of their own. */
  readonly env: Readonly<Record<string, string>>;
  publish(tarball: string): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** `program` is the folder of an installed `verdaccio`. */
export async function npmRegistry(program: string): Promise<NpmRegistry> {
  const root = await mkdtemp(join(tmpdir(), "tmpm-registry-"));
  const home = join(root, "home");
  await mkdir(home);
  const upstream = (await run("npm", ["config", "get", "registry"])).stdout.trim();
  const config = join(root, "config.yaml");
  await writeFile(config, JSON.stringify(settings({ storage: join(root, "storage"), upstream })));
  const server = spawn(process.execPath, ["-e", SERVE, program, config], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await once(createInterface(server.stdout), "line")) as [string];
  const userconfig = join(home, ".npmrc");
  // npm publishes only with a token; this registry accepts any.
  await writeFile(userconfig, `registry=http://127.0.0.1:${port}/\n//127.0.0.1:${port}/:_authToken=any\n`);
  const env = {
    HOME: home,
    PATH: process.env.PATH ?? "",
    npm_config_userconfig: userconfig,
    npm_config_cache: join(root, "cache"),
    npm_config_update_notifier: "false",
    npm_config_audit: "false",
    npm_config_fund: "false",
  };
  return {
    env,
    async publish(tarball) {
      await run("npm", ["publish", tarball], { env, cwd: dirname(tarball) });
    },
    async [Symbol.asyncDispose]() {
      server.kill();
      if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
      await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

/** Prints its port. */
const SERVE = `
  const [program, config] = process.argv.slice(1);
  require(program)
    .runServer(config)
    .then((server) => server.listen(0, "127.0.0.1", () => console.log(server.address().port)));`;

/** YAML accepts JSON. `max_body_size` exceeds the size of every published tarball. */
function settings({ storage, upstream }: { readonly storage: string; readonly upstream: string }): unknown {
  return {
    storage,
    uplinks: { upstream: { url: upstream } },
    packages: { "@tmpm/*": { access: "$all", publish: "$all" }, "**": { access: "$all", proxy: "upstream" } },
    max_body_size: "100mb",
    web: { enable: false },
    log: { type: "stdout", format: "json", level: "fatal" },
  };
}
