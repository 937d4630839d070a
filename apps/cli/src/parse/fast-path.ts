import { type ParseArgsConfig, parseArgs } from "node:util";
import type { RawInput, Shape } from "../command.js";
import { fits } from "./bind.js";
import { flagOf } from "./flag.js";
import { splitRest } from "./split-rest.js";

/** Parses correct command lines without commander; null when commander is needed. */
export function parseFast(shape: Shape, argv: readonly string[]): RawInput | null {
  const { own, rest } = splitRest(argv, shape);
  const keys = new Map(Object.keys(shape.options).map((key) => [flagOf(key).slice(2), key]));
  const options: NonNullable<ParseArgsConfig["options"]> = { json: { type: "boolean" }, on: { type: "string" } };
  for (const [flag, key] of keys) {
    const takes = shape.options[key]?.takes;
    options[flag] = { type: takes === "flag" ? "boolean" : "string", multiple: takes === "texts" };
  }
  const parsed = parseStrictly({ args: [...own], options, allowPositionals: true });
  if (parsed === null || !fits(shape.args, parsed.positionals.length)) return null;
  const values: Record<string, RawInput["values"][string]> = {};
  for (const [flag, value] of Object.entries(parsed.values)) {
    values[keys.get(flag) ?? flag] = Array.isArray(value) ? value.map(String) : value;
  }
  return contradicts(parsed.values) ? null : { positionals: parsed.positionals, rest, values };
}

/** With `--model` and `--no-model` the last one counts, but their order is lost here. */
function contradicts(values: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(values).some((flag) => flag.startsWith("no-") && Object.hasOwn(values, flag.slice(3)));
}

function parseStrictly(config: ParseArgsConfig) {
  try {
    return parseArgs(config);
  } catch (error) {
    if (error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS_")) return null;
    throw error;
  }
}
