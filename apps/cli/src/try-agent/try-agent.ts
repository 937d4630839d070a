import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { AgentAnswer, SessionAnswer } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import type { ControlModel } from "@tmpm/core";
import type { Context } from "../context.js";
import { callersEnvironment } from "../input/callers-environment.js";
import { workingDirectory } from "../input/working-directory.js";
import { interruptible } from "../system/interruptible.js";
import { type Recorder, recorder } from "./recorder.js";
import { type Trial, trial } from "./trial.js";

export interface TryOptions {
  readonly agent: string;
  readonly prompt: string;
  readonly host: ControlModel | undefined;
  /** The folder for recordings; default a new temporary one. */
  readonly out: string | undefined;
  /** Time limit of each step, in ms. */
  readonly stepMs: number;
  readonly trust: boolean;
}

export interface TryResult extends Trial {
  readonly agent: string;
  readonly version: string | null;
  readonly verified: boolean | null;
  readonly host: string;
  /** The folder with the recordings; null for an agent without a terminal. */
  readonly folder: string | null;
  readonly screens: number;
  readonly ok: boolean;
}

const START_MS = 90_000;

/**
 * Starts the agent in a temporary directory, sends it a prompt, records its screens, and removes the session again, also when it is interrupted.
 * @throws AGENT_UNKNOWN, AGENT_NOT_INSTALLED
 */
export async function tryAgent(context: Context, options: TryOptions): Promise<TryResult> {
  const client = context.client();
  const about = await client.agent({ agent: options.agent });
  const environment = await callersEnvironment(context);
  return interruptible(async (signal) => {
    const cwd = mkdtempSync(join(tmpdir(), "tmpm-try-"));
    try {
      return await triedIn(cwd, { client, about, options, environment, signal });
    } finally {
      rmSync(cwd, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    }
  });
}

interface Trying {
  readonly client: Client;
  readonly about: AgentAnswer;
  readonly options: TryOptions;
  readonly environment: Awaited<ReturnType<typeof callersEnvironment>>;
  readonly signal: AbortSignal;
}

async function triedIn(cwd: string, { client, about, options, environment, signal }: Trying): Promise<TryResult> {
  // Not aborted: the session could not be removed before it is known.
  const session = await client.create(
    {
      agent: about.id,
      cwd,
      control: options.host,
      ephemeral: true,
      trust: options.trust || undefined,
      ...environment,
    },
    { timeoutMs: START_MS },
  );
  try {
    const recording = session.control === "Sdk" ? null : recordingFor(about, options.out);
    const tried = await trial({
      client,
      session: session.id,
      prompt: options.prompt,
      recorder: recording?.recorder ?? null,
      stepMs: options.stepMs,
      signal,
    });
    return resultOf(about, { session, tried, recording });
  } finally {
    await client.remove({ session: session.id });
  }
}

interface Recording {
  readonly folder: string;
  readonly recorder: Recorder;
}

function recordingFor({ id, terminal }: AgentAnswer, out: string | undefined): Recording {
  const version = terminal?.version ?? "unknown";
  const parent = out === undefined ? mkdtempSync(join(tmpdir(), "tmpm-screens-")) : resolve(workingDirectory(), out);
  const folder = join(parent, `${id}-${version}`);
  return { folder, recorder: recorder({ folder, version, command: basename(terminal?.path ?? id) }) };
}

function resultOf(
  { id, terminal, version_verified: verified }: AgentAnswer,
  { session, tried, recording }: { readonly session: SessionAnswer; readonly tried: Trial; readonly recording: Recording | null },
): TryResult {
  return {
    agent: id,
    version: terminal?.version ?? null,
    verified,
    host: session.control.toLowerCase(),
    ...tried,
    folder: recording?.folder ?? null,
    screens: recording?.recorder.files.length ?? 0,
    ok: tried.steps.length === 3 && tried.steps.every((step) => step.ok),
  };
}
