import type { AgentAnswer } from "@tmpm/api";
import { hasCode } from "@tmpm/core/errors";
import { useState } from "preact/hooks";
import { tmpm } from "../daemon/tmpm.js";
import { mayChange, me } from "../state/me.js";
import { changeDraft, draftStarted, keyFor, newSessionDraft } from "../state/new-session-draft.js";
import { say } from "../state/notices.js";
import { agentOf, COMMAND, offered, profileOf, programOf } from "../state/profile-program.js";
import { go, route } from "../state/route.js";
import { seen } from "../state/sessions.js";
import { failureText } from "../words/failure-words.js";
import { receiptWords } from "../words/receipt-words.js";
import { oneLine } from "../words/shown.js";
import { ProfileField } from "./profile-field.js";
import { useLoaded } from "./use-loaded.js";

/** Starts a session, as `tmpm new` does. */
export function NewSession() {
  const profiles = useLoaded(() => tmpm.profiles());
  const agents = useLoaded(() => tmpm.agents());
  const directories = useLoaded(() => tmpm.directories());
  const form = newSessionDraft.value;
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const choice = profileOf(form, profiles.answer);
  const profile = choice.kind === "profile" ? choice.profile : null;
  const installed = agents.answer?.agents.filter(isInstalled) ?? [];
  const offers = { profile, installed: installed.map(({ id }) => id) };
  const chosen = agentOf(form, offers);
  const recent = directories.answer?.directories.map(({ path }) => path) ?? [];
  const cwd = form.cwd ?? recent[0] ?? "";
  const noAgent = agents.answer === null ? "The agents are not loaded yet." : "No agent is installed.";
  const obstacle = choice.kind === "missing" ? choice.reason : chosen === "" ? noAgent : null;
  const shownFailure = failure ?? profiles.failure ?? agents.failure ?? directories.failure;

  async function create(): Promise<void> {
    if (obstacle !== null) return;
    setBusy(true);
    setFailure(null);
    const request = {
      ...programOf(chosen, profile),
      cwd,
      ...(form.name === "" ? {} : { name: form.name }),
      ...(form.worktree ? { worktree: true, ...(form.branch === "" ? {} : { branch: form.branch }) } : {}),
      ...(form.prompt.trim() === "" ? {} : { prompt: form.prompt }),
    };
    const key = keyFor(JSON.stringify(request));
    try {
      const { receipt, notes = [], ...session } = await tmpm.create(request, { timeoutMs: 300_000, key });
      draftStarted(profile === null ? { ...form, agent: chosen } : form);
      seen({ ...session });
      const started = [...(receipt === null ? [] : [`its first prompt: ${receiptWords(receipt).text}`]), ...notes.map(oneLine)];
      const open = () => go({ page: "session", id: session.id, view: null });
      // Whoever went elsewhere meanwhile stays there.
      const isHere = route.value.page === "new";
      say(`${session.name} is started${started.length === 0 ? "" : `; ${started.join("; ")}`}.`, {
        actions: isHere ? [] : [{ title: "Open", run: open }],
      });
      if (isHere) open();
    } catch (error) {
      // A request that was answered has this answer for a day, so the next one is another.
      if (!hasCode(error, "DAEMON_UNREACHABLE")) changeDraft({ attempt: null });
      setFailure(failureText(error));
      if (route.value.page !== "new") say(`New session: ${failureText(error)}`, { tone: "error" });
    } finally {
      setBusy(false);
    }
  }

  if (me.value === null) return <main class="pane page soft">Connecting…</main>;
  if (!mayChange.value) return <main class="pane page soft">This browser may watch sessions, but not start any.</main>;
  return (
    <main class="pane page" aria-labelledby="new-title">
      <h1 id="new-title">New session</h1>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <ProfileField
          list={profiles.answer?.profiles ?? []}
          choice={choice}
          failed={profiles.answer === null && profiles.failure !== null}
        />
        <label>
          <span>Agent</span>
          <select
            class="field"
            id="agent"
            value={chosen}
            onChange={({ currentTarget }) => changeDraft({ agent: currentTarget.value, profile: profile?.name ?? form.profile })}
          >
            {offered(offers).map((id) => (
              <option key={id} value={id}>
                {id === COMMAND ? "The profile’s command" : oneLine(installed.find((each) => each.id === id)?.title ?? id)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>Directory</span>
          <input
            class="field mono"
            required
            list="recent"
            value={cwd}
            spellcheck={false}
            autocapitalize="off"
            onInput={({ currentTarget }) => changeDraft({ cwd: currentTarget.value })}
          />
          <datalist id="recent">
            {recent.map((path) => (
              <option key={path} value={path} />
            ))}
          </datalist>
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={form.worktree}
            onChange={({ currentTarget }) => changeDraft({ worktree: currentTarget.checked })}
          />
          <span>In its own git worktree, isolated from other work</span>
        </label>
        {form.worktree && (
          <label>
            <span>
              Branch <span class="soft">(a new one if empty)</span>
            </span>
            <input
              class="field mono"
              value={form.branch}
              spellcheck={false}
              onInput={({ currentTarget }) => changeDraft({ branch: currentTarget.value })}
            />
          </label>
        )}
        <label>
          <span>
            Name <span class="soft">(derived if empty)</span>
          </span>
          <input
            class="field"
            value={form.name}
            spellcheck={false}
            autocapitalize="off"
            onInput={({ currentTarget }) => changeDraft({ name: currentTarget.value })}
          />
        </label>
        <label>
          <span>
            First prompt <span class="soft">(none if empty)</span>
          </span>
          <textarea
            class="field"
            rows={5}
            value={form.prompt}
            onInput={({ currentTarget }) => changeDraft({ prompt: currentTarget.value })}
          />
        </label>
        {shownFailure !== null && (
          <p class="error" role="alert">
            {shownFailure}
          </p>
        )}
        <button type="submit" class="button main" disabled={busy || obstacle !== null} aria-describedby="start-obstacle">
          {busy ? "Starting…" : "Start"}
        </button>
        <p class="soft" id="start-obstacle" role="status">
          {obstacle === null ? "" : oneLine(obstacle)}
        </p>
      </form>
    </main>
  );
}

/** `command` needs a program to run, for which this form does not have a field. */
function isInstalled({ id, terminal, protocol }: AgentAnswer): boolean {
  return id !== "command" && (terminal?.installed === true || protocol?.installed === true);
}
