import type { WhyAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { renderWhy } from "../render/why.js";
import { SESSION } from "./shared-arguments.js";

export const why = command({
  name: "why",
  summary: "Explain a session's state: the evidence, and what would change it",
  more: `Of the evidence the newest comes first; * marks what the belief rests on now, AGE is the time since it was last seen or heard.

  tmpm why demo`,
  args: { session: SESSION },
  options: {},
  async run({ session }, context): Promise<WhyAnswer> {
    return context.client().why({ session });
  },
  render: renderWhy,
});
