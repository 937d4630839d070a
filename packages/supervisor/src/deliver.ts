import type { AgentAdapter } from "@tmpm/agents";
import { type Receipt, type SendOutcome, type SessionRecord, TmpmError } from "@tmpm/core";
import type { Context } from "./context.js";
import { type Look, look, paneOf } from "./observe.js";

export interface Delivery {
  readonly record: SessionRecord;
  readonly adapter: AgentAdapter;
  /** As `parseText` of `@tmpm/core` returned it. */
  readonly text: string;
  /** Type without waiting for the agent to be ready. */
  readonly now: boolean;
}

const POLL_MS = 60;
const STARTING_MS = 90_000;
const ENTERS = 3;

/**
 * Types the text, waits until it shows, presses Enter as its own write, and waits until the text has gone into execution. Only Enter is ever repeated.
 * @throws SESSION_BUSY, SESSION_BLOCKED with nothing typed, and what the driver throws
 */
export async function deliver(ctx: Context, delivery: Delivery): Promise<Receipt> {
  const before = await ready(ctx, delivery);
  await ctx.driver.paste(paneOf(delivery.record), delivery.text);
  const typed = await until(ctx, delivery, (now) =>
    delivery.adapter.arrived({ before: before.observation, now: now.observation, text: delivery.text }),
  );
  if (typed.evidence === null && typed.look.reading.draft !== null) {
    return receipt(delivery, "unconfirmed", ["the text did not show in the agent's input, so Enter was not pressed"]);
  }
  const submitted = await submit(ctx, delivery, typed.look);
  if (typed.evidence === null)
    return receipt(delivery, "unconfirmed", ["the text did not show before Enter was pressed", ...evidence(submitted)]);
  if (submitted !== null) return receipt(delivery, "submitted", [typed.evidence, submitted]);
  return receipt(delivery, "typed_not_submitted", [typed.evidence, "Enter was pressed, and the text still waits in the input"]);
}

/** The look at which the agent takes input. */
async function ready(ctx: Context, delivery: Delivery): Promise<Look> {
  const started = ctx.clock.now();
  for (;;) {
    const seen = await look(ctx, delivery);
    if (delivery.now || accepts(delivery.adapter, seen.reading)) return seen;
    const { state } = seen.reading;
    if (state === "blocked" || state === "awaiting_approval") throw blocked(delivery, seen);
    const patience = state === "starting" ? STARTING_MS : ctx.settings.readyMs;
    if (ctx.clock.now() - started >= patience) throw busy(delivery, seen);
    await ctx.clock.sleep(POLL_MS);
  }
}

/** Text that waits in an agent's input belongs to somebody, and a dialog or menu that shows no input would take the text for an answer. */
function accepts(adapter: AgentAdapter, { state, source, draft }: Look["reading"]): boolean {
  switch (state) {
    case "idle":
      return draft === null || draft === "";
    case "awaiting_input":
    case "errored":
      return draft === "";
    case "working":
      return adapter.limits.queuesWhileWorking && (draft === null || draft === "");
    case "unknown":
      return adapter.limits.queuesWhileWorking && source === "process";
    default:
      return false;
  }
}

function blocked({ record }: Delivery, { reading }: Look): TmpmError {
  return new TmpmError("SESSION_BLOCKED", `session ${record.name} shows a dialog: ${reading.evidence.join("; ")}`, {
    hint: reading.hint ?? `Answer it with \`tmpm attach ${record.name}\`, then send again.`,
    details: { id: record.id, state: reading.state, evidence: reading.evidence },
  });
}

function busy({ record }: Delivery, { reading }: Look): TmpmError {
  const why = reading.draft ? `text waits in its input: ${JSON.stringify(reading.draft.slice(0, 80))}` : reading.evidence.join("; ");
  return new TmpmError("SESSION_BUSY", `session ${record.name} is not ready for input: ${why}`, {
    hint: `Wait with \`tmpm wait ${record.name}\`, look with \`tmpm attach ${record.name}\`, or type all the same with \`tmpm send --now\`.`,
    details: { id: record.id, state: reading.state, evidence: reading.evidence, draft: reading.draft },
  });
}

/** Presses Enter until the text has left the input; at most three times, and again only while the text is seen to wait there. */
async function submit(ctx: Context, delivery: Delivery, typed: Look): Promise<string | null> {
  for (let enter = 1; enter <= ENTERS; enter++) {
    await ctx.driver.keys(paneOf(delivery.record), ["Enter"]);
    const gone = await until(ctx, delivery, (now) =>
      delivery.adapter.submitted({ typed: typed.observation, now: now.observation, text: delivery.text }),
    );
    if (gone.evidence !== null) return enter === 1 ? gone.evidence : `${gone.evidence}, after Enter was pressed ${enter} times`;
    if (gone.look.reading.draft === null || gone.look.reading.draft === "") return null;
  }
  return null;
}

async function until(
  ctx: Context,
  delivery: Delivery,
  proof: (now: Look) => string | null,
): Promise<{ look: Look; evidence: string | null }> {
  const deadline = ctx.clock.now() + ctx.settings.confirmMs + Math.ceil(delivery.text.length / 100);
  for (;;) {
    const now = await look(ctx, delivery);
    const found = proof(now);
    if (found !== null || ctx.clock.now() >= deadline) return { look: now, evidence: found };
    await ctx.clock.sleep(POLL_MS);
  }
}

function evidence(found: string | null): readonly string[] {
  return found === null ? [] : [found];
}

export function receipt(delivery: Pick<Delivery, "text">, outcome: SendOutcome, seen: readonly string[]): Receipt {
  return { outcome, bytes: new TextEncoder().encode(delivery.text).length, evidence: [...seen] };
}
