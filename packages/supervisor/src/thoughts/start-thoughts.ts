import type { SessionRecord, SessionView } from "@tmpm/core";
import type { Background } from "../background.js";
import type { Context } from "../context.js";
import { believedActivity } from "../observe/observations.js";
import { agentThoughts } from "./agent-thoughts.js";
import { openTranscript } from "./open-transcript.js";

/** Loads the thoughts of earlier runs and follows those of the agents, until closed; unwritten ones are then written. */
export function startThoughts(ctx: Context): Background {
  const own = agentThoughts({
    clock: ctx.clock,
    streamId: ctx.newId(),
    sessions: () => running(ctx),
    open: (record) => openTranscript(ctx, record),
    last: (id) => ctx.thoughts.get({ id, pane: null }),
    report: ctx.report,
    everyMs: ctx.settings.thoughtMs,
  });
  const loading = ctx.thoughts.load().catch((error: unknown) => ctx.report({ doing: "reading the thoughts of earlier runs", error }));
  const providers = [own, ...(ctx.thoughtProviders ?? [])];
  const started = loading.then(() => providers.map((provider) => provider.start(ctx.thoughts.put)));
  return {
    async close() {
      await Promise.all((await started).map((each) => each.close()));
      await ctx.thoughts.drained();
    },
  };
}

async function running(ctx: Context): Promise<readonly SessionView[]> {
  const entries = await ctx.store.list();
  return entries.flatMap((entry) => (entry.kind === "session" && entry.record.state === "active" ? [viewOf(ctx, entry.record)] : []));
}

function viewOf(ctx: Context, record: SessionRecord): SessionView {
  const known = ctx.observations.known(record.id);
  const activity = believedActivity(record, { known, nowMs: ctx.clock.now(), beliefMs: ctx.settings.beliefMs });
  return { record, activity, viewers: ctx.observations.get(record.id)?.pane.viewers ?? 0 };
}
