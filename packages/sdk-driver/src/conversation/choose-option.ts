import { TmpmError } from "@tmpm/core";
import type { PermissionOption, PermissionRequest } from "./request.js";

/** A user's answer; choices count from 1. */
export type GivenAnswer =
  | { readonly kind: "approve" }
  | { readonly kind: "deny" }
  | { readonly kind: "choice"; readonly number: number }
  | { readonly kind: "text"; readonly text: string };

/** The option for an answer: `approve` allows once and `deny` refuses once, regardless of their labels. @throws INVALID_ARGUMENT */
export function chooseOption(request: PermissionRequest, answer: GivenAnswer): PermissionOption {
  switch (answer.kind) {
    case "approve":
      return optionThat(request, { grants: "once", verb: "approve" });
    case "deny":
      return optionThat(request, { grants: "no", verb: "deny" });
    case "choice": {
      const option = request.options[answer.number - 1];
      if (option === undefined) throw unfit(request, `it has no choice number ${answer.number}`);
      return option;
    }
    case "text":
      throw unfit(request, "it does not accept a free-text answer");
  }
}

function optionThat(
  request: PermissionRequest,
  wanted: { readonly grants: PermissionOption["grants"]; readonly verb: string },
): PermissionOption {
  const option = request.options.find(({ grants }) => grants === wanted.grants);
  if (option === undefined) throw unfit(request, `it has no option to ${wanted.verb} once`);
  return option;
}

function unfit({ subject, options }: PermissionRequest, why: string): TmpmError {
  const labels = options.map(({ label }) => label);
  return new TmpmError("INVALID_ARGUMENT", `${why}: ${subject}`, {
    hint: `Its choices: ${labels.map((label, index) => `${index + 1}. ${label}`).join("  ")}`,
    details: { choices: labels },
  });
}
