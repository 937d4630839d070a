import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { personsEnvironment, toolEnvironment } from "./bootstrap/environment.mjs";
import { root } from "./bootstrap/root.mjs";

describe("the environment", () => {
  const viaNpm = {
    HOME: tmpdir(),
    PATH: `${root}/node_modules/.bin:/node_modules/.bin:/lib/npm/node-gyp-bin:/usr/bin:/home/me/other/node_modules/.bin`,
    INIT_CWD: "/home/me",
    NODE: "/usr/bin/node",
    npm_lifecycle_event: "test",
    npm_package_name: "tmpm-repo",
    npm_config_registry: "https://registry.example/",
    npm_config_https_proxy: "http://proxy.example",
    npm_config_noproxy: "",
    npm_config_user_agent: "npm",
    NPM_CONFIG_CAFILE: "/etc/ca.pem",
    EDITOR: "ed",
  };

  test("of a user's program does not contain npm's variables", () => {
    expect(personsEnvironment(viaNpm)).toEqual({ HOME: tmpdir(), EDITOR: "ed", PATH: "/usr/bin:/home/me/other/node_modules/.bin" });
  });

  test("of a tool keeps the settings for registry access and compilation", () => {
    const env = toolEnvironment({ folders: ["/pnpm"], env: viaNpm });
    expect(env.PATH.split(":")[0]).toBe("/pnpm");
    expect(Object.keys(env).filter((name) => /npm_/i.test(name) && name !== "npm_config_nodedir")).toEqual([
      "npm_config_registry",
      "npm_config_https_proxy",
      "NPM_CONFIG_CAFILE",
      "npm_config_update_notifier",
    ]);
    expect(env.TURBO_TELEMETRY_DISABLED).toBe("1");
  });
});
