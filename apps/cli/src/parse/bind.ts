import { TmpmError } from "@tmpm/core";
import type { Argument, InputOf, Option, RawInput, Shape } from "../command.js";
import { flagOf } from "./flag.js";

/** Whether this number of positionals can be bound, so that the fast path leaves errors to commander. */
export function fits(args: Shape["args"], count: number): boolean {
  const taken = Object.values(args);
  const least = taken.filter(({ takes }) => takes === "one" || takes === "some").length;
  const open = taken.some(({ takes }) => takes === "some" || takes === "any");
  const most = taken.filter(({ takes }) => takes !== "rest").length;
  return count >= least && (open || count <= most);
}

/** The typed input of a command: the only place that parses texts into values. @throws INVALID_ARGUMENT */
export function bind<A extends Readonly<Record<string, Argument>>, O extends Readonly<Record<string, Option>>>(
  shape: Shape<A, O>,
  raw: RawInput,
): InputOf<A, O> {
  const left = [...raw.positionals];
  const input: Record<string, unknown> = {};
  for (const [key, argument] of Object.entries(shape.args)) {
    input[key] = takeArgument(argument, { left, rest: raw.rest });
  }
  for (const [key, option] of Object.entries(shape.options)) {
    input[key] = readOption(option, { flag: flagOf(key), value: raw.values[key] });
  }
  return input as InputOf<A, O>;
}

function takeArgument(argument: Argument, { left, rest }: { left: string[]; rest: readonly string[] }): unknown {
  if (argument.takes === "rest") return rest;
  const taken = argument.takes === "some" || argument.takes === "any" ? left.splice(0) : left.splice(0, 1);
  if (taken.includes("") && argument.mayBeEmpty !== true) throw empty(argument.label);
  const wrong = taken.find((value) => argument.choices !== undefined && !argument.choices.includes(value));
  if (wrong !== undefined) {
    throw usage(`${JSON.stringify(wrong)} is not one of ${argument.choices?.join(", ")}`);
  }
  return argument.takes === "one" || argument.takes === "optional" ? taken[0] : taken;
}

const DECIMAL = /^\d{1,9}(\.\d{1,9})?$/;
const NUMBERS = {
  count: { pattern: /^\d{1,9}$/, what: "a whole number" },
  seconds: { pattern: DECIMAL, what: "a number of seconds" },
  number: { pattern: DECIMAL, what: "a number" },
};

function readOption(option: Option, { flag, value }: { flag: string; value: RawInput["values"][string] }): unknown {
  if (option.takes === "flag") return value === true;
  if ((value === "" || (Array.isArray(value) && value.includes(""))) && option.mayBeEmpty !== true) throw empty(flag);
  if (option.takes === "texts") return Array.isArray(value) ? value : [];
  if (option.takes === "text" || value === undefined) return value;
  const { pattern, what } = NUMBERS[option.takes];
  if (typeof value === "string" && pattern.test(value)) return Number(value);
  throw usage(`${flag} takes ${what}, not ${JSON.stringify(value)}`);
}

function empty(what: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", `${what} is empty`, { hint: "Give a value, or omit it." });
}

function usage(message: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", message);
}
