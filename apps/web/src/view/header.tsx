import { standing } from "@tmpm/api/standing";
import { filter, isFilter } from "../state/filter.js";
import { mayChange } from "../state/me.js";
import { hashOf, route } from "../state/route.js";
import { foundOnScreens, searchScreens } from "../state/screen-search.js";
import { connection, requests, sorted } from "../state/sessions.js";
import { isComposition } from "./session/sends-by-enter.js";

export function Header() {
  const { page } = route.value;
  return (
    <header class="top">
      <a class="brand" href={hashOf({ page: "list" })}>
        tmpm
      </a>
      <Summary />
      <input
        id="filter"
        class="field search"
        type="search"
        aria-label="Filter sessions; Enter searches screens"
        placeholder="Filter sessions"
        autocomplete="off"
        spellcheck={false}
        value={filter.value}
        onInput={({ currentTarget }) => {
          filter.value = currentTarget.value;
          foundOnScreens.value = null;
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !isComposition(event)) void searchScreens(event.currentTarget.value, { isStill: isFilter });
        }}
      />
      <nav class="tools" aria-label="Pages">
        <a class="button" href={hashOf({ page: "inbox" })} aria-current={page === "inbox" ? "page" : undefined}>
          Inbox {requests.value.length > 0 && <span class="badge">{requests.value.length}</span>}
        </a>
        <a class="button quiet" href={hashOf({ page: "grid" })} aria-current={page === "grid" ? "page" : undefined}>
          Grid
        </a>
        <a class="button quiet" href={hashOf({ page: "settings" })} aria-current={page === "settings" ? "page" : undefined}>
          Settings
        </a>
        {mayChange.value && (
          <a class="button main" href={hashOf({ page: "new" })}>
            New session
          </a>
        )}
      </nav>
    </header>
  );
}

/** Session counts in words. */
function Summary() {
  const counts = { need: 0, working: 0, others: 0 };
  for (const session of sorted.value) {
    const { needsYou, name } = standing(session);
    counts[needsYou ? "need" : name === "working" || name === "starting" ? "working" : "others"] += 1;
  }
  if (connection.value === "opening") return <p class="summary">Connecting…</p>;
  return (
    <p class="summary" role="status">
      <strong class={counts.need > 0 ? "need" : undefined}>
        {counts.need === 0 ? "nothing waits" : counts.need === 1 ? "1 needs you" : `${counts.need} need you`}
      </strong>
      <span> · {counts.working} working</span>
      <span class="roomy"> · {counts.others} others</span>
    </p>
  );
}
