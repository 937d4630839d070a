import type { Argument, Shape } from "../command.js";

/** The usage after the verb: `[options] <SESSION> [TEXT...]`. */
export function usageOf({ args }: Shape): string {
  const places = Object.values(args).map((argument) => (argument.takes === "rest" ? `[-- ${argument.label} ARG...]` : placeOf(argument)));
  return ["[options]", ...places].join(" ");
}

export function placeOf({ takes, label }: Argument): string {
  const many = takes === "some" || takes === "any" ? "..." : "";
  return takes === "one" || takes === "some" ? `<${label}${many}>` : `[${label}${many}]`;
}
