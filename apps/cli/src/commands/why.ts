import type { WhyAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { renderWhy } from "../render/why.js";
import { SESSION } from "./shared-arguments.js";

export const why = command({
  name: "why",
  group: "Observe",
  summary: "Explain a session's state: the evidence, and what would change it",
  more: `Evidence is listed newest first; * marks the deciding items, AGE is the time since each was last seen or reported.

  tmpm why demo`,
  args: { session: SESSION },
  options: {},
  async run({ session }, context): Promise<WhyAnswer> {
    return context.client().why({ session });
  },
  render: renderWhy,
});
