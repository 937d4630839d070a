import { CONTRACTS, type Contract, PATHS, type RouteName } from "@tmpm/api";
import * as z from "zod";
import { BODY_JUNK, HEADER_JUNK, JSON_JUNK, QUERY_JUNK, SEGMENT_JUNK } from "./junk.js";
import type { Random } from "./random.js";

export interface FuzzRequest {
  readonly route: RouteName;
  readonly method: string;
  /** With its query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer | null;
}

/** Fields that determine paths and waiting times keep the value of the example. */
const KEPT: ReadonlySet<string> = new Set(["path", "dry_run", "timeout_ms", "wait_ms", "patience_ms"]);

/** A request as described by a route's contract, with one to three faults. `given` replaces fields of the contract's example. */
export function fuzzRequest(
  route: RouteName,
  { random, given }: { readonly random: Random; readonly given: Readonly<Record<string, unknown>> },
): FuzzRequest {
  const contract: Contract = CONTRACTS[route];
  const { method, path } = PATHS[route];
  const parts = {
    params: texts(contract.example.params, given),
    query: texts(contract.example.query, given),
    body: bodyOf(contract, given),
  };
  const headers: Record<string, string | readonly string[]> = contract.body === null ? {} : { "content-type": "application/json" };
  let whole: string | Buffer | null = null;
  const wrongs: (() => void)[] = [
    () => breakField(parts.query, { schema: contract.query, junk: QUERY_JUNK, random }),
    () => parts.query.set(random.pick(["unknown", "__proto__", "session", "a[b]", "%00"]), random.pick(QUERY_JUNK)),
    () => {
      const [name, value] = random.pick(HEADER_JUNK);
      headers[name] = value;
    },
    ...(parts.params.size === 0 ? [] : [() => parts.params.set(random.pick([...parts.params.keys()]), random.pick(SEGMENT_JUNK))]),
    ...(contract.body === null
      ? []
      : [
          () => breakField(parts.body, { schema: contract.body ?? z.object({}), junk: JSON_JUNK, random }),
          () => breakField(parts.body, { schema: contract.body ?? z.object({}), junk: JSON_JUNK, random }),
          () => parts.body.delete(random.pick([...parts.body.keys(), "nothing"])),
          () => parts.body.set(random.pick(["unknown", "__proto__", "constructor", "session", "rev"]), random.pick(JSON_JUNK)),
          () => {
            whole = random.pick(BODY_JUNK);
          },
        ]),
  ];
  for (let count = random.below(3); count >= 0; count--) random.pick(wrongs)();
  const filled = path.replace(/:(\w+)/g, (_, name: string) => parts.params.get(name) ?? "");
  const query = [...parts.query].map(([name, value]) => `${name}=${value}`).join("&");
  const body = `{${[...parts.body].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`;
  return {
    route,
    method,
    path: query === "" ? filled : `${filled}?${query}`,
    headers,
    body: method === "POST" || (whole !== null && random.chance(4)) ? (whole ?? body) : null,
  };
}

function texts(example: object | undefined, given: Readonly<Record<string, unknown>>): Map<string, string> {
  return new Map(Object.entries(example ?? {}).map(([name, value]) => [name, encodeURIComponent(String(given[name] ?? value))]));
}

function bodyOf({ example }: Contract, given: Readonly<Record<string, unknown>>): Map<string, string> {
  return new Map(Object.entries(example.body ?? {}).map(([name, value]) => [name, JSON.stringify(given[name] ?? value)]));
}

interface Breaking {
  readonly schema: z.ZodType;
  readonly junk: readonly string[];
  readonly random: Random;
}

function breakField(fields: Map<string, string>, { schema, junk, random }: Breaking): void {
  const names = Object.keys(z.toJSONSchema(schema, { io: "input" }).properties ?? {}).filter((name) => !KEPT.has(name));
  if (names.length > 0) fields.set(random.pick(names), random.pick(junk));
}
