export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads the text format of Prometheus strictly: every sample belongs to a family with help and type. @throws for any other line */
export function samplesIn(text: string): readonly Sample[] {
  const types = new Map<string, string>();
  return text.split("\n").flatMap((line): Sample[] => {
    const [, word, family = "", rest = ""] = /^# (HELP|TYPE) ([a-z][a-z0-9_]*) (.+)$/.exec(line) ?? [];
    if (word === "TYPE") types.set(family, rest);
    if (word !== undefined || line === "") return [];
    const [, name = "", , inside = "", value = ""] = /^([a-z][a-z0-9_]*)(\{(.*)\})? (-?[0-9.e+-]+|[Nn]a[Nn]|[+-]Inf)$/.exec(line) ?? [];
    if (name === "") throw new Error(`no sample: ${line}`);
    if (!types.has(name) && !types.has(name.replace(/_(bucket|sum|count)$/, ""))) throw new Error(`a sample without a type: ${line}`);
    const labels = Object.fromEntries(
      [...inside.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"(?:,|$)/g)].map(([, label = "", text = ""]) => [label, text]),
    );
    return [{ name, labels, value: Number(value) }];
  });
}
