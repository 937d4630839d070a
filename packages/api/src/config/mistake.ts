import { TmpmError } from "@tmpm/core";

/** An invalid part of the configuration, with its location. */
export interface Mistake {
  /** Position in the file, both from 1; null for a variable. */
  readonly line: number | null;
  readonly column: number | null;
  /** The setting, or the variable; null if the file is not valid YAML there. */
  readonly key: string | null;
  readonly message: string;
  readonly hint: string | null;
}

/** `config.yaml:3:5: …` */
export function mistakeLine(path: string, { line, column, message, hint }: Mistake): string {
  const place = line === null ? "" : `${path}:${line}:${column}: `;
  return `${place}${message}${hint === null ? "" : `; ${hint}`}`;
}

export function configInvalid(path: string, mistakes: readonly Mistake[]): TmpmError {
  const [first, ...more] = mistakes.map((mistake) => mistakeLine(path, mistake));
  const inFile = mistakes.some(({ line }) => line !== null);
  return new TmpmError("CONFIG_INVALID", first ?? `${path} cannot be used`, {
    hint: [
      ...more,
      inFile ? "Correct it with `tmpm config edit`, then check it with `tmpm config list`." : "Correct the variable, or unset it.",
    ].join("\n"),
    details: { path, mistakes },
  });
}
