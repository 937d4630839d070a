import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { LABEL, SECRETS, SESSION, SESSION_SECRET } from "./door-fixture.js";

/** One combination of entrance and request; each part is from one of the lists below. */
export interface Case {
  readonly entrance: (typeof ENTRANCES)[number];
  readonly host: (typeof HOSTS)[number];
  readonly origin: (typeof ORIGINS)[number];
  readonly site: (typeof SITES)[number];
  readonly shows: (typeof SHOWN)[number];
  readonly asks: (typeof ASKED)[number];
}

const ENTRANCES = ["socket", "tcp"] as const;
const HOSTS = [
  ...["localhost", "localhost:80", "127.0.0.1:P", "localhost:P", "[::1]:P", "L.localhost:P", "127.0.0.1", "localhost:Q"],
  ...["LOCALHOST:P", "localhost.:P", "evil.example:P", "127.0.0.1.nip.io:P", "missing", "twice"],
] as const;
const ORIGINS = ["–", "own", "https", "other port", "null", "http://evil.example", "twice"] as const;
const SITES = ["–", "same-origin", "none", "same-site", "cross-site", "link"] as const;
const SHOWN = [
  "nothing",
  "admin",
  "operator",
  "observer",
  "session",
  "login",
  "wrong",
  "expired",
  "wrong cookie",
  "token as cookie",
] as const;
const ASKED = ["read", "own session", "watch", "change", "admin", "login page", "front page", "page file", "log in"] as const;

const DIMENSIONS = { entrance: ENTRANCES, host: HOSTS, origin: ORIGINS, site: SITES, shows: SHOWN, asks: ASKED } as const;

export function* allCases(): Generator<Case> {
  for (const entrance of ENTRANCES)
    for (const host of HOSTS)
      for (const origin of ORIGINS)
        for (const site of SITES) for (const shows of SHOWN) for (const asks of ASKED) yield { entrance, host, origin, site, shows, asks };
}

/** The cases that differ from one in a single part. */
export function neighbours(one: Case): readonly Case[] {
  return (Object.keys(DIMENSIONS) as (keyof Case)[]).flatMap((part) =>
    DIMENSIONS[part].filter((value) => value !== one[part]).map((value) => ({ ...one, [part]: value }) as Case),
  );
}

export function nameOf({ entrance, host, origin, site, shows, asks }: Case): string {
  return [entrance, host, origin, site, shows, asks].join(" | ");
}

/** The accepted cases of `docs/security.md`, by name. */
export function writtenCases(): ReadonlySet<string> {
  const page = readFileSync(resolve(import.meta.dirname, "../../../docs/security.md"), "utf8");
  const [, table = ""] = page.split("<!-- The matrix test reads this table. -->");
  const rows = table.split("\n\n")[1]?.split("\n").slice(2) ?? [];
  const names = rows.flatMap((row) => {
    const [entrance = [], host = [], origin = [], site = [], shows = [], asks = []] = row.split("|").slice(1, -1).map(valuesIn);
    return product([entrance, host, origin, site, shows, asks]).map((parts) => parts.join(" | "));
  });
  if (new Set(names).size !== names.length) throw new Error("a case is written twice");
  return new Set(names);
}

function valuesIn(cell: string): readonly string[] {
  const quoted = Array.from(cell.matchAll(/`([^`]+)`/g), ([, value]) => value ?? "");
  const bare = cell.replaceAll(/`[^`]+`/g, " ").trim();
  return [...(bare === "" ? [] : [bare]), ...quoted];
}

function product(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return lists.reduce<readonly (readonly string[])[]>((all, list) => all.flatMap((each) => list.map((value) => [...each, value])), [[]]);
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** The request of a case for a daemon on this port. */
export function requestOf(one: Case, port: number): Asked {
  const { method, path, body = "", upgrade = false } = TARGETS[one.asks];
  const host = hostOf(one.host, port);
  const headers: (readonly [string, string])[] = [
    ...(one.host === "missing" ? [] : [["host", host] as const]),
    ...(one.host === "twice" ? [["Host", `evil.example:${port}`] as const] : []),
    ...originOf(one, { host, port }),
    ...siteOf(one),
    ...shownBy(one, port),
    ...(upgrade
      ? ([
          ["connection", "Upgrade"],
          ["upgrade", "websocket"],
        ] as const)
      : []),
  ];
  return { method, path, headers, body };
}

const TARGETS: Readonly<Record<Case["asks"], { method: string; path: string; body?: string; upgrade?: true }>> = {
  read: { method: "GET", path: "/v1/sessions" },
  "own session": { method: "GET", path: `/v1/sessions/${SESSION}` },
  watch: { method: "GET", path: `/v1/sessions/${SESSION}/stream`, upgrade: true },
  change: { method: "POST", path: `/v1/sessions/${SESSION}/interrupt`, body: "{}" },
  admin: { method: "GET", path: "/v1/tokens" },
  "login page": { method: "GET", path: "/login" },
  "front page": { method: "GET", path: "/" },
  "page file": { method: "GET", path: "/assets/main-c0ffee01.js" },
  "log in": { method: "POST", path: "/v1/login", body: '{"code":"x"}' },
};

function hostOf(host: Case["host"], port: number): string {
  if (host === "missing" || host === "twice") return `localhost:${port}`;
  return host
    .replace(/^L\./, `${LABEL}.`)
    .replace(/:P$/, `:${port}`)
    .replace(/:Q$/, `:${port + 1}`);
}

/** `link`: a link followed from a foreign page into a new window. */
function siteOf({ site }: Case): (readonly [string, string])[] {
  if (site === "–") return [];
  if (site !== "link") return [["sec-fetch-site", site]];
  return [
    ["sec-fetch-site", "cross-site"],
    ["sec-fetch-mode", "navigate"],
    ["sec-fetch-dest", "document"],
  ];
}

function originOf({ origin }: Case, { host, port }: { readonly host: string; readonly port: number }): (readonly [string, string])[] {
  const own = ["origin", `http://${host}`] as const;
  switch (origin) {
    case "–":
      return [];
    case "own":
      return [own];
    case "https":
      return [["origin", `https://${host}`]];
    case "other port":
      return [["origin", `http://localhost:${port + 1}`]];
    case "twice":
      return [own, ["Origin", "http://evil.example"]];
    default:
      return [["origin", origin]];
  }
}

function shownBy({ shows }: Case, port: number): (readonly [string, string])[] {
  switch (shows) {
    case "nothing":
      return [];
    case "session":
      return [["authorization", `Bearer ${SESSION_SECRET}`]];
    case "login":
      return [["cookie", `theme=dark; tmpm_${port}=${SECRETS.login}`]];
    case "wrong cookie":
      return [["cookie", `tmpm_${port}=${SECRETS.wrong}`]];
    case "token as cookie":
      return [["cookie", `tmpm_${port}=${SECRETS.admin}`]];
    default:
      return [["authorization", `Bearer ${SECRETS[shows]}`]];
  }
}
