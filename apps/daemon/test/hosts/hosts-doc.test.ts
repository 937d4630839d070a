import { readFileSync } from "node:fs";
import { HOST_VERBS, type HostVerb, type SessionHost } from "@tmpm/host";
import { tmuxHost } from "@tmpm/tmux-driver";
import { fakeTmux } from "@tmpm/tmux-driver/fake";
import { afterAll, expect, test } from "vitest";
import { protocolAgents } from "../../src/hosts/protocol-agents.js";
import { ptyHost } from "../../src/hosts/pty-host.js";

const common = { location: { home: "/home/me/tmpm" }, env: {}, homeTag: "a", version: "0" };
const hosts: readonly SessionHost[] = [tmuxHost({ driver: fakeTmux().driver }), ptyHost(common), protocolAgents(common)];

afterAll(() => Promise.all(hosts.map((host) => host.close())));

const VERBS = {
  adopt: "`adopt` a program that runs elsewhere",
  attach: "`attach`",
  keys: "`keys`",
  type: "type into its terminal (streams)",
  stream: "follow its output (`capture --follow`, streams)",
  replay: "resume a stream at a byte offset, also after a daemon restart",
  resize: "resize its terminal",
} as const satisfies Record<HostVerb, string>;

test("docs/hosts.md states the limits of every host", () => {
  const page = readFileSync(new URL("../../../../docs/hosts.md", import.meta.url), "utf8");
  const names = hosts.map(({ control }) => `\`${control.toLowerCase()}\``);
  const rows = HOST_VERBS.map((verb) => `| ${[VERBS[verb], ...hosts.map((host) => cell(host, verb))].join(" | ")} |`);
  const expected = [`| to | ${names.join(" | ")} |`, `| --- |${" --- |".repeat(names.length)}`, ...rows].join("\n");
  const shown = /<!-- verbs:[^>]*-->\n\n((?:\|.*\n)*)/u.exec(page)?.[1]?.trimEnd() ?? "";
  expect(shown, `put this below the comment in docs/hosts.md:\n\n${expected}\n`).toBe(expected);
});

function cell({ cannot }: SessionHost, verb: HostVerb): string {
  const ruled = cannot[verb];
  if (ruled === undefined) return "yes";
  return ruled.instead === null ? `no: ${ruled.why}` : `no: ${ruled.why}. ${ruled.instead}`;
}
