import type { AgentAnswer } from "@tmpm/api";
import { useEffect, useState } from "preact/hooks";
import { tmpm } from "../daemon/tmpm.js";
import { load, store } from "../state/kept.js";
import { mayChange } from "../state/me.js";
import { say } from "../state/notices.js";
import { go, route } from "../state/route.js";
import { seen } from "../state/sessions.js";
import { failureText } from "../words/failure-words.js";
import { receiptWords } from "../words/receipt-words.js";
import { oneLine } from "../words/shown.js";

interface Form {
  readonly agent: string;
  /** Null until edited; meanwhile the latest directory is used. */
  readonly cwd: string | null;
  readonly name: string;
  readonly worktree: boolean;
  readonly branch: string;
  readonly prompt: string;
}

const LAST_AGENT = "new.agent";

/** Starts a session, as `tmpm new` does. */
export function NewSession() {
  const [recent, setRecent] = useState<readonly string[]>([]);
  const [agents, setAgents] = useState<readonly AgentAnswer[]>([]);
  const [form, setForm] = useState<Form>({ agent: load(LAST_AGENT) ?? "", cwd: null, name: "", worktree: false, branch: "", prompt: "" });
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const change = (part: Partial<Form>) => setForm((last) => ({ ...last, ...part }));
  useEffect(() => {
    const failed = (error: unknown) => setFailure(failureText(error));
    tmpm.agents().then((list) => setAgents(list.agents.filter(isInstalled)), failed);
    tmpm.directories().then((list) => setRecent(list.directories.map(({ path }) => path)), failed);
  }, []);
  const chosen = agents.some(({ id }) => id === form.agent) ? form.agent : (agents[0]?.id ?? "");
  const cwd = form.cwd ?? recent[0] ?? "";

  async function create(): Promise<void> {
    setBusy(true);
    setFailure(null);
    store(LAST_AGENT, chosen);
    try {
      const {
        receipt,
        notes = [],
        ...session
      } = await tmpm.create(
        {
          agent: chosen,
          cwd,
          ...(form.name === "" ? {} : { name: form.name }),
          ...(form.worktree ? { worktree: true, ...(form.branch === "" ? {} : { branch: form.branch }) } : {}),
          ...(form.prompt.trim() === "" ? {} : { prompt: form.prompt }),
        },
        { timeoutMs: 300_000 },
      );
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
      setFailure(failureText(error));
      if (route.value.page !== "new") say(`New session: ${failureText(error)}`, { tone: "error" });
    } finally {
      setBusy(false);
    }
  }

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
        <label>
          <span>Agent</span>
          <select class="field" value={chosen} onChange={({ currentTarget }) => change({ agent: currentTarget.value })}>
            {agents.map(({ id, title }) => (
              <option key={id} value={id}>
                {oneLine(title)}
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
            onInput={({ currentTarget }) => change({ cwd: currentTarget.value })}
          />
          <datalist id="recent">
            {recent.map((path) => (
              <option key={path} value={path} />
            ))}
          </datalist>
        </label>
        <label class="check">
          <input type="checkbox" checked={form.worktree} onChange={({ currentTarget }) => change({ worktree: currentTarget.checked })} />
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
              onInput={({ currentTarget }) => change({ branch: currentTarget.value })}
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
            onInput={({ currentTarget }) => change({ name: currentTarget.value })}
          />
        </label>
        <label>
          <span>
            First prompt <span class="soft">(none if empty)</span>
          </span>
          <textarea class="field" rows={5} value={form.prompt} onInput={({ currentTarget }) => change({ prompt: currentTarget.value })} />
        </label>
        {failure !== null && (
          <p class="error" role="alert">
            {failure}
          </p>
        )}
        <button type="submit" class="button main" disabled={busy || chosen === ""}>
          {busy ? "Starting…" : "Start"}
        </button>
      </form>
    </main>
  );
}

/** `command` needs a program to run, for which this form does not have a field. */
function isInstalled({ id, terminal, protocol }: AgentAnswer): boolean {
  return id !== "command" && (terminal?.installed === true || protocol?.installed === true);
}
