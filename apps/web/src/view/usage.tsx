import type { BudgetStanding, UsageAnswer } from "@tmpm/api";
import { useEffect, useState } from "preact/hooks";
import { tmpm } from "../daemon/tmpm.js";
import { failureText } from "../words/failure-words.js";
import { oneLine } from "../words/shown.js";
import { money, read, roughly } from "../words/usage-words.js";

const BY = ["session", "project", "agent", "day"] as const satisfies readonly UsageAnswer["by"][];
const DAYS = [
  { title: "today", days: 1 },
  { title: "7 days", days: 7 },
  { title: "30 days", days: 30 },
  { title: "ever", days: null },
] as const;
const DAY_MS = 86_400_000;

/** Token usage of sessions and its estimated cost. */
export function Usage() {
  const [by, setBy] = useState<UsageAnswer["by"]>("session");
  const [days, setDays] = useState<number | null>(7);
  const [usage, setUsage] = useState<UsageAnswer | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    const leave = new AbortController();
    const since = days === null ? {} : { since: new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10) };
    tmpm.usage({ by, ...since }, { signal: leave.signal }).then(
      (answer) => {
        setUsage(answer);
        setFailure(null);
      },
      (error: unknown) => {
        if (!leave.signal.aborted) setFailure(failureText(error));
      },
    );
    return () => leave.abort();
  }, [by, days]);
  return (
    <main class="pane page" aria-labelledby="usage-title">
      <h1 id="usage-title">Usage</h1>
      <p class="settings-tools">
        <label class="choice first">
          <span>By</span>
          <select value={by} onChange={({ currentTarget }) => setBy(BY.find((each) => each === currentTarget.value) ?? "session")}>
            {BY.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <label class="choice first">
          <span>Since</span>
          <select
            value={String(days)}
            onChange={({ currentTarget }) => setDays(DAYS.find((each) => String(each.days) === currentTarget.value)?.days ?? null)}
          >
            {DAYS.map((each) => (
              <option key={each.title} value={String(each.days)}>
                {each.title}
              </option>
            ))}
          </select>
        </label>
      </p>
      {failure !== null && (
        <p class="error" role="alert">
          {failure}
        </p>
      )}
      {usage !== null && (usage.groups.length === 0 ? <p class="soft">No tokens were counted.</p> : <Table usage={usage} />)}
      {usage !== null && usage.budgets.length > 0 && <Budgets budgets={usage.budgets} />}
    </main>
  );
}

function Table({ usage: { by, groups, total, prices } }: { readonly usage: UsageAnswer }) {
  return (
    <>
      <table class="figures">
        <Columns names={[by, "read", "written", "about"]} />
        <tbody>
          {groups.map(({ key, name, ...sums }) => (
            <Row key={key} name={name} {...sums} />
          ))}
        </tbody>
        <tfoot>
          <Row name="all" {...total} />
        </tfoot>
      </table>
      <p class="soft">
        Tokens, as recorded by the agents. Costs are estimates at the prices of{" "}
        <span title={oneLine(prices.source ?? "")}>{prices.date}</span>
        {total.unpriced_models.length > 0 && `, without ${total.unpriced_models.map(oneLine).join(", ")}`}.
      </p>
    </>
  );
}

function Columns({ names }: { readonly names: readonly string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Budgets({ budgets }: Pick<UsageAnswer, "budgets">) {
  return (
    <>
      <h2>Budgets</h2>
      <table class="figures">
        <Columns names={["of", "used", "limit", "remaining"]} />
        <tbody>
          {budgets.map((budget) => (
            <BudgetRow key={`${budget.scope} ${budget.id} ${budget.kind}`} budget={budget} />
          ))}
        </tbody>
      </table>
    </>
  );
}

const SCOPES = { session: "", lineage: " and its descendants", project: " (project)" } as const;

function BudgetRow({ budget: { scope, name, kind, used, limit, remaining } }: { readonly budget: BudgetStanding }) {
  return (
    <tr>
      <th scope="row">{`${oneLine(name)}${SCOPES[scope]}`}</th>
      <td>{`${roughly(used)} ${kind}`}</td>
      <td>{roughly(limit)}</td>
      <td>{remaining === 0 ? "none: prompts are held" : roughly(remaining)}</td>
    </tr>
  );
}

interface RowProps {
  readonly name: string;
  readonly tokens: UsageAnswer["total"]["tokens"];
  readonly cost_usd: number | null;
}

function Row({ name, tokens, cost_usd }: RowProps) {
  return (
    <tr>
      <th scope="row">{oneLine(name)}</th>
      <td title={`${roughly(tokens.cache_read)} of them from a cache`}>{roughly(read(tokens))}</td>
      <td>{roughly(tokens.output)}</td>
      <td>{money(cost_usd)}</td>
    </tr>
  );
}
