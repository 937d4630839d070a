import type { GroupAnswer } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import { command } from "../command.js";
import { renderGroup } from "../render/group.js";

/** A check may run twenty minutes in each of sixteen work trees. */
const CHECK_MS = 16 * 1_200_000 + 60_000;

export const group = command({
  name: "group",
  summary: "Compare the sessions that `tmpm fan` started together",
  more: `Shows what each does, what it changed, how long it worked and what it used. --run-check runs the check of the group in the work trees of those that rest, one after the other.

  tmpm group login
  tmpm group login --run-check
  tmpm group login --check "npm test"`,
  args: { group: { takes: "one", label: "GROUP", summary: "Name of the group" } },
  options: {
    runCheck: { takes: "flag", summary: "Run the check of the group now" },
    check: { takes: "text", label: "LINE", summary: "Run this shell line instead, which is the group's check from now on" },
  },
  async run({ group: name, runCheck, check }, context): Promise<GroupAnswer> {
    const client = context.client();
    if (!runCheck && check === undefined) return client.group({ group: name });
    return client.checkGroup({ group: name, check }, { timeoutMs: CHECK_MS });
  },
  render: renderGroup,
  notes: ({ notes }) => notes.map((note) => visibleText(note)),
});
