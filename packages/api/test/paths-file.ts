import { CONTRACTS, type Contract } from "../src/index.js";

/** `src/paths.ts`, which has what the client needs of the contracts, without the schemas. */
export function pathsFile(): string {
  const rows = Object.entries<Contract>(CONTRACTS).sort(([, a], [, b]) => compare(`${a.path} ${a.method}`, `${b.path} ${b.method}`));
  const lines = rows.map(([name, { method, path, bytes }]) => {
    const file = bytes === true ? ", bytes: true" : "";
    return `  ${name}: { method: "${method}", path: "${path}"${file} },`;
  });
  return [...HEAD, ...lines, "};", ""].join("\n");
}

const HEAD = [
  'import type { Contract, RouteName } from "./contracts.js";',
  "",
  "/** Method and path of every route, generated from the contracts. Does not import zod: the command line loads it on every start. */",
  'export const PATHS: { readonly [R in RouteName]: Pick<Contract, "method" | "path" | "bytes"> } = {',
];

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
