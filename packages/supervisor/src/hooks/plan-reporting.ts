import type { AgentAdapter, HookPlan, LaunchPlan, LaunchRequest } from "@tmpm/agents";
import type { Context } from "../context.js";
import { tokenDigest } from "./session-token.js";

export interface Launching {
  readonly adapter: AgentAdapter;
  readonly request: Omit<LaunchRequest, "hooks">;
  /** The session has a grant, so its agent gets tmpm's tools. */
  readonly granted: boolean;
}

/** The launch of a session: the adapter's plan, with the agent configured to report its events, and a token valid only for this launch. */
export async function planReporting(
  ctx: Pick<Context, "hooks" | "observations" | "report">,
  { adapter, request, granted }: Launching,
): Promise<LaunchPlan> {
  // Evidence from before the launch does not apply to it.
  ctx.observations.forget(request.sessionId);
  const reporting = await reportingOf(ctx, { adapter, request, granted });
  const plan = await adapter.launch({ ...request, hooks: reporting.hooks });
  return { ...plan, env: { ...plan.env, ...reporting.env } };
}

interface Reporting {
  readonly hooks: HookPlan | null;
  readonly env: Readonly<Record<string, string>>;
}

/** Agents work without hooks too, so a full disk does not prevent the launch. */
async function reportingOf(ctx: Pick<Context, "hooks" | "report">, { adapter, request, granted }: Launching): Promise<Reporting> {
  const port = ctx.hooks;
  if (port === undefined) return { hooks: null, env: {} };
  const { sessionId, env } = request;
  try {
    const folder = port.folder(sessionId);
    const asked = { command: port.command, folder, env };
    const reports = (await adapter.hooks?.plan(asked)) ?? adapter.keeper?.(asked) ?? null;
    const tools =
      granted && port.tools !== undefined ? adapter.tools?.({ command: port.tools, folder, env: { ...env, ...reports?.env } }) : null;
    const hooks = joined(reports, tools ?? null);
    const token = port.newToken();
    await port.write(sessionId, { files: hooks?.files ?? [], token_sha256: tokenDigest(token) });
    return { hooks, env: { TMPM_SESSION_TOKEN: token } };
  } catch (error) {
    ctx.report({ doing: `configuring ${adapter.title}'s reports`, error });
    return { hooks: null, env: {} };
  }
}

function joined(first: HookPlan | null, second: HookPlan | null): HookPlan | null {
  if (first === null || second === null) return first ?? second;
  return { files: [...first.files, ...second.files], argv: [...first.argv, ...second.argv], env: { ...first.env, ...second.env } };
}
