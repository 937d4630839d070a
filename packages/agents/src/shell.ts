import { userInfo } from "node:os";
import { basename } from "node:path";
import { TmpmError } from "@tmpm/core";
import type { AgentAdapter, LaunchPlan, LaunchRequest, Observation, Reading } from "./adapter.js";
import { locate } from "./launch/locate.js";
import { echoArrived, echoSubmitted } from "./screen/echo.js";

type Environment = LaunchRequest["env"];

/**
 * The user's own shell, or the one named by `argv`, interactive. Not a login shell: the environment is already the session's own, and login
 * files would change it again.
 * `quit` is null: a terminal ends a shell with SIGHUP, while a typed `exit` would be appended to a draft at the prompt.
 */
export const shell: AgentAdapter = {
  id: "shell",
  title: "Shell",
  limits: { promptInArgv: 0, queuesWhileWorking: false, alters: null, beginMs: 0 },
  asksFirst: false,
  quit: null,

  async detect(env) {
    const path = await findShell(env);
    if (path === null) return { installed: false, hint: "Set SHELL to the absolute path of a shell." };
    return { installed: true, path, version: null };
  },

  async launch({ config, env, cwd }): Promise<LaunchPlan> {
    const [asked, ...options] = config.argv ?? [];
    const path = asked === undefined ? await findShell(env) : await locate(asked, { env, cwd });
    if (path === null && asked !== undefined) {
      throw new TmpmError("AGENT_NOT_INSTALLED", `${asked} was not found or is not executable`, {
        hint: asked.includes("/") ? "Check the path and its permissions." : "Install it, or give its absolute path.",
        details: { program: asked },
      });
    }
    if (path === null) {
      throw new TmpmError("AGENT_NOT_INSTALLED", "no shell was found", { hint: "Set SHELL to the absolute path of a shell." });
    }
    return { argv: [path, ...(asked === undefined ? ["-i"] : options)], env: {}, conversationId: null, carriesPrompt: false };
  },

  read: readShell,
  arrived: echoArrived,
  submitted: echoSubmitted,
  interrupt: { keys: ["C-c"] },
  approve: () => null,
  deny: () => null,
  seed: null,
  hooks: null,
};

async function findShell(env: Environment): Promise<string | null> {
  for (const candidate of [env.SHELL, loginShell(), "/bin/bash", "/bin/sh"]) {
    const path = candidate ? await locate(candidate, { env }) : null;
    if (path !== null && !isRefusal(path)) return path;
  }
  return null;
}

/** Accounts without a login have a program here that ends at once. */
function isRefusal(path: string): boolean {
  return ["nologin", "false", "true"].includes(basename(path));
}

function loginShell(): string | null {
  try {
    return userInfo().shell;
  } catch {
    // A user id without an entry in the password file, usual in containers.
    return null;
  }
}

/**
 * Idle means that the shell itself is the terminal's foreground process, so a long-running builtin (`read`, a loop) also counts as idle.
 */
function readShell(screen: Observation): Reading {
  const common = { source: "process", hint: null, draft: null, decision: null } as const;
  if (screen.dead) return { ...common, state: "exited", confidence: 1, evidence: ["the shell has ended"] };
  if (screen.foreground === null) {
    return { ...common, state: "unknown", confidence: 0.2, evidence: ["the foreground process cannot be determined"] };
  }
  if (!screen.foreground) {
    return { ...common, state: "working", confidence: 0.95, evidence: [`${screen.command} runs in the foreground`] };
  }
  if (isUntouched(screen)) {
    return { ...common, state: "starting", confidence: 0.6, evidence: ["the shell has printed nothing yet"] };
  }
  return { ...common, state: "idle", confidence: 0.9, evidence: [`${screen.command} itself is in the foreground`] };
}

/** While its start-up files run, a shell is in the foreground too, but has no prompt yet. */
function isUntouched({ lines, cursor, historySize }: Observation): boolean {
  return historySize === 0 && cursor.row === 0 && cursor.column === 0 && lines.every((line) => line.trim() === "");
}
