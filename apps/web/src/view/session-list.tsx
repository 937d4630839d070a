import { filter, type Group, grouping, groups, isFilter } from "../state/filter.js";
import { rowForm } from "../state/layout.js";
import { type OtherNode, others, shownOthers } from "../state/others.js";
import { hashOf } from "../state/route.js";
import { foundOnScreens, searchScreens } from "../state/screen-search.js";
import { isListed, sessions } from "../state/sessions.js";
import { OtherRow, OtherTitle } from "./other-row.js";
import { SessionRow } from "./session-row.js";
import { type Placed, VirtualRows } from "./virtual-rows.js";

const ROW_HEIGHT = { columns: 36, beside: 58, touch: 80 } as const;
const TITLE_HEIGHT = 34;

export function SessionList() {
  const form = rowForm.value;
  const height = ROW_HEIGHT[form];
  const rows = [...placed(groups.value, height), ...placedOthers(shownOthers.value, height)];
  return (
    <nav class={`list ${form}`} aria-label="Sessions">
      <div class="list-head">
        <h1>
          Sessions <span class="count">{sessions.value.size}</span>
        </h1>
        <a class="archived-link" href={hashOf({ page: "archived" })}>
          Archived
        </a>
        <label class="choice">
          <span>Group by</span>
          <select
            value={grouping.value}
            onChange={({ currentTarget }) => {
              grouping.value = currentTarget.value === "project" ? "project" : "need";
            }}
          >
            <option value="need">state</option>
            <option value="project">project</option>
          </select>
        </label>
        {filter.value.trim() !== "" && foundOnScreens.value === null && (
          <p class="on-screens">
            <button type="button" class="link" onClick={() => void searchScreens(filter.value, { isStill: isFilter })}>
              Search all screens for “{filter.value.trim()}”
            </button>
          </p>
        )}
      </div>
      {isListed.value && rows.length === 0 ? <Nothing /> : <VirtualRows rows={rows} />}
    </nav>
  );
}

function placed(groups: readonly Group[], height: number): readonly Placed[] {
  return groups.flatMap(({ title, sessions }) => [
    {
      key: `title:${title}`,
      height: TITLE_HEIGHT,
      content: () => (
        <h2 class="group">
          {title} <span class="count">{sessions.length}</span>
        </h2>
      ),
    },
    ...sessions.map((session) => ({ key: session.id, height, content: () => <SessionRow session={session} /> })),
  ]);
}

function placedOthers(nodes: readonly OtherNode[], height: number): readonly Placed[] {
  return nodes.flatMap(({ part, sessions }) => [
    { key: `node:${part.node}`, height: TITLE_HEIGHT, content: () => <OtherTitle part={part} count={sessions.length} /> },
    ...sessions.map((session) => ({ key: `${part.node}:${session.id}`, height, content: () => <OtherRow session={session} /> })),
  ]);
}

function Nothing() {
  if (sessions.value.size === 0 && others.value.length === 0) {
    return (
      <p class="nothing">
        No sessions yet. Start one here, or with <code>tmpm new</code> in a terminal.
      </p>
    );
  }
  return <p class="nothing">No session contains “{filter.value.trim()}”.</p>;
}
