import { isTmpmError, TmpmError } from "@tmpm/core";

/** The options for the fields of `addNode` and `setNode`. */
const OPTIONS: Readonly<Record<string, string>> = {
  label: "NODE",
  "ssh.host": "--ssh",
  "ssh.command": "--command",
  "nats.url": "--nats",
  "nats.node": "--name",
  "nats.client": "--as",
};

/** Translates an error that names fields of the request into the given options; any other error is returned unchanged. */
export function namedOption(error: unknown, labels: readonly string[]): unknown {
  if (!isTmpmError(error) || error.code !== "INVALID_ARGUMENT" || !Array.isArray(error.details.issues)) return error;
  const issues: readonly { readonly field?: unknown; readonly message?: unknown }[] = error.details.issues;
  const lines = issues.flatMap(({ field, message }) => {
    const option = typeof field === "string" ? optionOf(field, labels) : null;
    return option === null || typeof message !== "string" ? [] : [`${option}: ${message}`];
  });
  if (lines.length !== issues.length || lines.length === 0) return error;
  return new TmpmError("INVALID_ARGUMENT", lines.join("; "), { hint: "See `tmpm nodes --help`.", details: error.details });
}

function optionOf(field: string, labels: readonly string[]): string | null {
  const [, index = ""] = /^labels(?:\.(\d+))?$/.exec(field) ?? [];
  if (index !== "") return `--label ${JSON.stringify(labels[Number(index)] ?? "")}`;
  if (field === "labels") return "--label";
  return Object.hasOwn(OPTIONS, field) ? (OPTIONS[field] ?? null) : null;
}
