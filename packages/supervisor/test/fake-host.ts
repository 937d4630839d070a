import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { ForgeAnswer, ForgeRequest } from "@tmpm/workspace";

/** An object of the host, in the format of its API. */
export type Item = { id: number } & Readonly<Record<string, unknown>>;

export interface Pull {
  number: number;
  head: string;
  base: string;
  sha: string;
  state: "open" | "closed";
  merged: boolean;
  title: string;
  body: string;
  draft: boolean;
}

export interface FakeHost {
  readonly pulls: Pull[];
  readonly reviews: Item[];
  readonly comments: Item[];
  readonly lineComments: Item[];
  /** By commit. */
  readonly checks: Map<string, Item[]>;
  /** Every request, as `METHOD path`, with its status. */
  readonly log: { readonly request: string; readonly status: number; readonly at: number }[];
  /** Replacements for the next answers; null keeps one unchanged. */
  readonly refusals: ({ readonly status: number; readonly headers?: Readonly<Record<string, string>> } | null)[];
  now: () => number;
  ask(request: ForgeRequest): Promise<ForgeAnswer>;
}

const REPOSITORY = "repos/demo/proj";

/** A host with one repository, `demo/proj`, which answers as GitHub does: pages, entity tags, refusals. */
export function fakeHost(): FakeHost {
  const host: FakeHost = {
    pulls: [],
    reviews: [],
    comments: [],
    lineComments: [],
    checks: new Map(),
    log: [],
    refusals: [],
    now: () => 0,
    async ask(request) {
      const answer = answerTo(host, request);
      host.log.push({ request: `${request.body === undefined ? "GET" : "POST"} ${request.path}`, status: answer.status, at: host.now() });
      return answer;
    },
  };
  return host;
}

type Answered = Extract<ForgeAnswer, { kind: "answered" }>;

function answerTo(host: FakeHost, { path, body, etag = null }: ForgeRequest): Answered {
  const refusal = host.refusals.shift();
  if (refusal != null)
    return { kind: "answered", status: refusal.status, headers: new Map(Object.entries(refusal.headers ?? {})), body: { message: "no" } };
  const [place = "", query = ""] = path.split("?");
  const found = body === undefined ? read(host, { place, query: new URLSearchParams(query) }) : open(host, body);
  if (found === null) return { kind: "answered", status: 404, headers: new Map(), body: { message: "Not Found" } };
  const tag = `"${createHash("sha256").update(JSON.stringify(found)).digest("hex").slice(0, 16)}"`;
  const headers = new Map([["etag", tag]]);
  if (etag === tag) return { kind: "answered", status: 304, headers, body: null };
  return { kind: "answered", status: body === undefined ? 200 : 201, headers, body: structuredClone(found) };
}

function read(host: FakeHost, { place, query }: { readonly place: string; readonly query: URLSearchParams }): unknown {
  const rest = place.startsWith(`${REPOSITORY}/`) ? place.slice(REPOSITORY.length + 1) : "";
  const size = Number(query.get("per_page") ?? 30);
  const page = (items: readonly unknown[]) => items.slice((Number(query.get("page") ?? 1) - 1) * size).slice(0, size);
  if (rest === "pulls")
    return host.pulls.filter(({ head, state }) => query.get("head") === `demo:${head}` && state === query.get("state")).map(shown);
  const sha = /^commits\/([0-9a-f]+)\/check-runs$/.exec(rest)?.[1];
  if (sha !== undefined) return { total_count: host.checks.get(sha)?.length ?? 0, check_runs: page(host.checks.get(sha) ?? []) };
  const [, kind = "", number = "", list = ""] = /^(pulls|issues)\/(\d+)(?:\/(\w+))?$/.exec(rest) ?? [];
  const pull = host.pulls.find((each) => each.number === Number(number));
  if (pull === undefined) return null;
  if (list === "") return shown(pull);
  if (list === "reviews") return page(host.reviews);
  return page(kind === "pulls" ? host.lineComments : host.comments);
}

function shown({ sha, head, base, ...pull }: Pull) {
  return { ...pull, html_url: `https://host.example/demo/proj/pull/${pull.number}`, head: { sha, ref: head }, base: { ref: base } };
}

function open(host: FakeHost, body: Readonly<Record<string, unknown>>): unknown {
  const text = (name: string) => String(body[name] ?? "");
  const pull: Pull = {
    number: host.pulls.length + 7,
    head: text("head"),
    base: text("base"),
    sha: "1".repeat(40),
    state: "open",
    merged: false,
    title: text("title"),
    body: text("body"),
    draft: body.draft === true,
  };
  host.pulls.push(pull);
  return shown(pull);
}

/** A program `gh` that queries the fake host, and its folder. */
export function scriptedGh(host: FakeHost, folder: string): { readonly path: string } & Disposable {
  const bin = join(folder, "gh-bin");
  const socket = join(folder, "gh.sock");
  mkdirSync(bin);
  writeFileSync(join(bin, "gh"), `#!/bin/sh\nexec "${process.execPath}" "${join(bin, "gh.mjs")}" "$@"\n`);
  chmodSync(join(bin, "gh"), 0o755);
  writeFileSync(join(bin, "gh.mjs"), CLIENT.replace("SOCKET", JSON.stringify(socket)));
  const server = createServer({ allowHalfOpen: true }, (connection) => {
    let asked = "";
    connection.setEncoding("utf8");
    connection.on("data", (text) => {
      asked += text;
    });
    connection.on("end", async () => connection.end(await printed(host, JSON.parse(asked))));
  }).listen(socket);
  return { path: bin, [Symbol.dispose]: () => void server.close() };
}

const CLIENT = `import { connect } from "node:net";
import { readFileSync } from "node:fs";
const args = process.argv.slice(2);
const input = args.includes("--input") ? readFileSync(0, "utf8") : null;
let answer = "";
const connection = connect(SOCKET, () => connection.end(JSON.stringify({ args, input })));
connection.setEncoding("utf8");
connection.on("data", (text) => (answer += text));
connection.on("close", () => {
  process.stdout.write(answer);
  process.exitCode = /^HTTP\\/2.0 2/.test(answer) ? 0 : 1;
});
`;

/** The output format of \`gh api --include\`. */
async function printed(
  host: FakeHost,
  { args, input }: { readonly args: readonly string[]; readonly input: string | null },
): Promise<string> {
  const etag = args.map((arg) => /^If-None-Match: (.+)$/.exec(arg)?.[1]).find((found) => found !== undefined);
  const answer = await host.ask({
    host: args[args.indexOf("--hostname") + 1] ?? "",
    path: args.at(-1) ?? "",
    etag: etag ?? null,
    ...(input === null ? {} : { body: JSON.parse(input) }),
  });
  if (answer.kind !== "answered") return "";
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `HTTP/2.0 ${answer.status} Whatever\r\n${headers}\r\n${answer.body === null ? "" : JSON.stringify(answer.body)}`;
}
