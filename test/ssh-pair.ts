import { resolve } from "node:path";
import type { NodeAnswer } from "@tmpm/api";
import { expect } from "vitest";
import { fixture } from "./fixture.js";
import { sshd } from "./sshd.js";

const CHECKOUT = resolve(import.meta.dirname, "../tmpm");

/** A laptop, and a build machine that it reaches by ssh. */
export async function sshPair() {
  const host = await sshd();
  const there = await fixture();
  const here = await fixture({ PATH: `${host.bin}:${process.env.PATH}` });
  const words = ["env", `HOME=${there.env.HOME}`, `TMPM_HOME=${there.home}`, `PATH=${process.env.PATH}`, "SHELL=/bin/bash"];
  const command = [...words, CHECKOUT, "node", "--stdio"].join(" ");
  return {
    host,
    here,
    there,
    command,
    /** Adds it, and waits until it answers, regardless of the start-up time of its daemon. */
    async add(label = "build1"): Promise<NodeAnswer> {
      await here.json(["nodes", "add", label, "--ssh", "build1", "--command", command, "--label", "gpu"]);
      await expect.poll(async () => (await here.api.node({ node: label })).presence).toBe("online");
      return here.json<NodeAnswer>(["nodes", "show", label]);
    },
    async [Symbol.asyncDispose]() {
      await here[Symbol.asyncDispose]();
      await there[Symbol.asyncDispose]();
      await host[Symbol.asyncDispose]();
    },
  };
}
