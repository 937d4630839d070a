import type { GroupAnswer } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import { command } from "../command.js";
import { answersOf } from "../printed.js";
import { renderGroup } from "../render/group.js";

/** A check may run for twenty minutes in each of sixteen work trees. */
const CHECK_MS = 16 * 1_200_000 + 60_000;

export const group = command({
  name: "group",
  group: "Start and end sessions",
  summary: "Compare the sessions that `tmpm fan` started together",
  more: `Shows each session's state, changes, working time and usage. --run-check runs the group's check in the work trees of idle sessions, one after the other.

  tmpm group login
  tmpm group login --run-check
  tmpm group login --check "npm test"`,
  args: { group: { takes: "one", label: "GROUP", summary: "Name of the group" } },
  options: {
    runCheck: { takes: "flag", summary: "Run the group's check now" },
    check: { takes: "text", label: "LINE", summary: "Run this shell command and keep it as the group's check" },
  },
  printed: answersOf("group", "checkGroup"),
  async run({ group: name, runCheck, check }, context): Promise<GroupAnswer> {
    const client = context.client();
    if (!runCheck && check === undefined) return client.group({ group: name });
    return client.checkGroup({ group: name, check }, { timeoutMs: CHECK_MS });
  },
  render: renderGroup,
  notes: ({ notes }) => notes.map((note) => visibleText(note)),
});
