import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { client, type Request } from "@tmpm/api/client";
import { describe, expect, test } from "vitest";
import { callersEnvironment } from "../../src/input/callers-environment.js";
import { perform } from "../../src/top/perform.js";
import { temporaryDir } from "../fixtures/temporary-dir.js";

/** The environment of a caller whose configuration file passes `WISH` on. */
function environment(path: string) {
  const TMPM_CONFIG = join(path, "config.yaml");
  writeFileSync(TMPM_CONFIG, "sessions: {pass_env: [WISH]}\n", { mode: 0o600 });
  return { PATH: "/bin", WISH: "granted", OTHER: "kept here", TMPM_CONFIG };
}

describe("the caller's environment for a launch", () => {
  test("has the variables that the configuration file names", async () => {
    using dir = temporaryDir();
    const env = environment(dir.path);
    expect(await callersEnvironment({ env, node: null })).toEqual({
      search_path: "/bin",
      env: expect.objectContaining({ WISH: "granted" }),
    });
    expect((await callersEnvironment({ env, node: null })).env).not.toHaveProperty("OTHER");
    expect(await callersEnvironment({ env, node: "box" })).toEqual({});
  });

  test("is sent when the dashboard resumes a session", async () => {
    using dir = temporaryDir();
    const requests: Request[] = [];
    const transport = {
      async request(request: Request) {
        requests.push(request);
        return { status: 200, headers: {}, body: "{}" };
      },
    };
    await perform(
      { kind: "resume", session: { id: "id-1", name: "demo", node: null } },
      { client: () => client({ transport }), env: environment(dir.path), signal: new AbortController().signal, send: () => undefined },
    );
    expect(requests.map(({ path, body }) => [path, JSON.parse(body ?? "")])).toEqual([
      ["/v1/sessions/id-1/resume", { search_path: "/bin", env: expect.objectContaining({ WISH: "granted" }) }],
    ]);
  });
});
