import { randomUUID } from "node:crypto";
import { constants } from "node:os";
import { basename } from "node:path";
import { TmpmError } from "@tmpm/core";
import type { HolderClient, HolderProgram, HolderReply, HolderRequest, RunningProgram } from "@tmpm/holder";
import { type Talk, talk } from "../agent/talk.js";
import { CALLS, type CallAnswer, type CallArgs, type CallName } from "./calls.js";
import { type EventLog, eventLog } from "./event-log.js";
import { type Followers, followers } from "./followers.js";
import { keepUsage } from "./keep-usage.js";
import { ConversationLaunch } from "./launch.js";
import { type AgentProcess, startAgent } from "./start-agent.js";

/** The program in the holder of a conversation: the agent on its pipes, and the whole history. */
export const conversationProgram: HolderProgram = {
  async start(launch) {
    const wanted = ConversationLaunch.parse(launch);
    const agent = await startAgent(wanted);
    const following = followers();
    const log = eventLog({
      now: Date.now,
      onAppend(numbered) {
        keepUsage(wanted.usage_file, { event: numbered.event, state: log.state(), atMs: numbered.at_ms });
        following.publish(numbered);
      },
    });
    const { cwd, env, tools, wishes, version, conversation_id: conversationId } = wanted;
    const talking = talk({
      pipes: agent.pipes,
      cwd,
      env,
      tools,
      wishes,
      version,
      conversationId,
      newId: randomUUID,
      report: log.append,
      state: log.state,
    });
    const calls = callsOf({ wanted, agent, log, talking, following });
    return {
      pid: agent.pid,
      call: (request, client) => answer(request, { calls, client }),
      left: following.remove,
      ended: agent.ended.then(({ status, signal }) => {
        for (const line of agent.printed()) if (line !== "") log.append({ type: "noted", text: `the agent printed: ${line}` });
        log.append({ type: "exited", status, signal: signal === null ? null : constants.signals[signal] });
      }),
      close: async () => undefined,
    } satisfies RunningProgram;
  },
};

type Calls = { readonly [N in CallName]: (args: CallArgs<N>, client: HolderClient) => Promise<CallAnswer<N>> };

interface Parts {
  readonly wanted: ConversationLaunch;
  readonly agent: AgentProcess;
  readonly log: EventLog;
  readonly talking: Talk;
  readonly following: Followers;
}

function callsOf({ wanted, agent, log, talking, following }: Parts): Calls {
  return {
    async follow({ since }, client) {
      following.add(client);
      const missed = log.since(since);
      const { columns, rows, argv } = wanted;
      return {
        missed: missed.kind === "events" ? { kind: "events", events: [...missed.events] } : missed,
        columns,
        rows,
        command: basename(argv[0]),
      };
    },
    prompt: async (prompt) => wireOf(await talking.prompt(prompt)),
    async prompted({ key }) {
      const put = talking.prompted(key);
      return put === null ? null : wireOf(put);
    },
    async cancel() {
      await talking.cancel();
      return null;
    },
    answer: async (answering) => talking.answer(answering),
    set: async (change) => talking.set(change),
    alive: async () => null,
    async hang_up() {
      agent.pipes.stdin.end();
      return null;
    },
  };
}

function wireOf({ fate, evidence }: Awaited<ReturnType<Talk["prompt"]>>): CallAnswer<"prompt"> {
  return { fate, evidence: [...evidence] };
}

async function answer(
  { verb, args }: HolderRequest,
  { calls, client }: { readonly calls: Calls; readonly client: HolderClient },
): Promise<HolderReply> {
  if (!isCall(verb))
    throw new TmpmError("INVALID_ARGUMENT", `a conversation holder does not support ${verb}`, { details: { field: "verb" } });
  return { value: await call(verb, { calls, client, args }) };
}

async function call<N extends CallName>(
  name: N,
  { calls, client, args }: { readonly calls: Calls; readonly client: HolderClient; readonly args: unknown },
): Promise<CallAnswer<N>> {
  const read = CALLS[name].args.safeParse(args);
  if (!read.success) throw new TmpmError("INVALID_ARGUMENT", `${name} was called on the holder with invalid arguments`);
  // The schema of this same call has just produced it.
  return calls[name](read.data as CallArgs<N>, client);
}

function isCall(verb: string): verb is CallName {
  return Object.hasOwn(CALLS, verb);
}
