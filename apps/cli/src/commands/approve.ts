import type { AnsweredAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { decisionTarget } from "../decision-target.js";
import { answeredExit, answeredLine } from "../render/decision.js";
import { DECISION_ID, OPTIONAL_SESSION } from "./shared-arguments.js";

export const approve = command({
  name: "approve",
  summary: "Allow once what a session asks for",
  more: `Without SESSION, the one session that waits for an approval. What was not seen to be taken exits with status 7.

  tmpm approve demo
  tmpm approve demo --id 3f2a91c0   only if it still asks what you saw in \`tmpm next\``,
  args: { session: OPTIONAL_SESSION },
  options: { id: DECISION_ID },
  async run({ session, id }, context): Promise<AnsweredAnswer> {
    const client = context.client();
    const target = await decisionTarget(client, { session, id });
    return client.answer({ session: target.session.id, decision_id: target.decision.id, answer: { kind: "approve" } });
  },
  render: answeredLine,
  exit: answeredExit,
});
