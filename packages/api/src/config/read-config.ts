import { didYouMean } from "@tmpm/core";
import { type Document, isMap, isNode, isPair, isScalar, LineCounter, parseDocument, type YAMLMap } from "yaml";
import type * as z from "zod";
import { ConfigFile } from "./config-schema.js";
import type { Mistake } from "./mistake.js";
import { PROFILE_NAME, Profile, type Profiles } from "./profile.js";
import { isSettingKey, SETTING_KEYS, type SettingKey, settingOf } from "./settings.js";

/** The valid content of a configuration file. */
export interface ReadConfig {
  readonly values: ReadonlyMap<SettingKey, unknown>;
  readonly profiles: Profiles;
  /** In the order of the file. */
  readonly mistakes: readonly Mistake[];
}

type Path = readonly PropertyKey[];

interface Found {
  readonly path: Path;
  readonly message: string;
  readonly hint: string | null;
  /** Position of the key rather than of its value. */
  readonly atKey?: true;
}

/** Never throws: each invalid part is a mistake, and the rest applies. */
export function readConfig(text: string): ReadConfig {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  if (document.errors.length > 0) {
    const mistakes = document.errors.map(({ pos, message }) => ({ ...at(pos[0]), key: null, message: firstLine(message), hint: null }));
    return { values: new Map(), profiles: {}, mistakes };
  }
  const value = plain(document);
  if (value.kind === "mistake")
    return { values: new Map(), profiles: {}, mistakes: [{ line: 1, column: 1, key: null, message: value.message, hint: null }] };
  const said = withoutNulls(value.value);
  const read = ConfigFile.safeParse(said ?? {}, { reportInput: true });
  const found = read.success ? [] : read.error.issues.flatMap((issue) => findings(issue));
  const mistakes = found.map(({ path, message, hint, atKey = false }) => ({
    ...at(offsetOf(document, { path, atKey })),
    key: path.length === 0 ? null : path.join("."),
    message,
    hint,
  }));
  return { ...usable(said, found), mistakes: mistakes.toSorted((a, b) => a.line - b.line || a.column - b.column) };
}

/** Nested anchors can expand to more data than memory holds. */
function plain(
  document: Document,
): { readonly kind: "value"; readonly value: unknown } | { readonly kind: "mistake"; readonly message: string } {
  try {
    return { kind: "value", value: document.toJS() };
  } catch (error) {
    if (error instanceof ReferenceError) return { kind: "mistake", message: firstLine(error.message) };
    throw error;
  }
}

/** A key without a value, such as a group whose lines are all comments, has no effect. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const said = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(said.map(([key, inner]) => [key, withoutNulls(inner)]));
}

function usable(value: unknown, found: readonly Found[]): Pick<ReadConfig, "values" | "profiles"> {
  const isWrong = (key: string) => found.some(({ path }) => key === path.join(".") || path.join(".").startsWith(`${key}.`));
  const values = SETTING_KEYS.flatMap((key) => {
    const given = valueAt(value, key.split("."));
    return given === undefined || isWrong(key) || settingOf(key).secrecy === "withheld" ? [] : [[key, given] as const];
  });
  const profiles = Object.entries(objectIn(valueAt(value, ["profiles"]))).flatMap(([name, given]) => {
    const read = Profile.safeParse(given);
    return read.success && PROFILE_NAME.test(name) ? [[name, read.data] as const] : [];
  });
  return { values: new Map(values), profiles: Object.fromEntries(profiles) };
}

function findings(issue: z.core.$ZodIssue): readonly Found[] {
  const { path } = issue;
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey([...path, key]));
  if (issue.code === "invalid_key")
    return [
      { path, message: `${path.at(-1)?.toString()} is not the name of a profile: ASCII letters, digits, - and _`, hint: null, atKey: true },
    ];
  const key = settingAt(path);
  if (key !== null) {
    const { form, secrecy } = settingOf(key);
    const given = secrecy === undefined ? `, not ${shown(issue.input)}` : "";
    return [{ path, message: `${key} is ${form.what}${issue.path.length === key.split(".").length ? given : ""}`, hint: null }];
  }
  const name = path.join(".");
  if (issue.code === "invalid_type" && issue.expected === "object")
    return [
      {
        path,
        message: name === "" ? "the file must contain keys and values" : `${name} is a group; its keys are ${namesBelow(path).join(", ")}`,
        hint: null,
      },
    ];
  return [{ path, message: `${name}: ${issue.message}`, hint: null }];
}

function unknownKey(path: Path): Found {
  const key = path.join(".");
  const last = String(path.at(-1));
  if (isSettingKey(key))
    return {
      path,
      message: `${key} is a secret, and cannot be in the file`,
      hint: "set client.token_file to a file instead",
      atKey: true,
    };
  const near = didYouMean(last, namesBelow(path.slice(0, -1)));
  const elsewhere = near === null ? (SETTING_KEYS.find((each) => each.endsWith(`.${last}`)) ?? didYouMean(key, SETTING_KEYS)) : null;
  const meant = near === null ? elsewhere : [...path.slice(0, -1), near].join(".");
  return {
    path,
    message: `unknown setting ${key}`,
    hint: meant === null ? "`tmpm config list --all` lists them" : `did you mean ${meant}?`,
    atKey: true,
  };
}

/** The keys allowed in a group. */
function namesBelow(path: Path): readonly string[] {
  if (path[0] === "profiles") return path.length === 1 ? [] : Object.keys(Profile.shape);
  const keys = [...SETTING_KEYS.filter((key) => settingOf(key).secrecy !== "withheld"), "profiles"];
  const prefix = path.length === 0 ? "" : `${path.join(".")}.`;
  return [...new Set(keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length).split(".")[0] ?? ""))];
}

/** The setting that contains a path. */
function settingAt(path: Path): SettingKey | null {
  for (let length = path.length; length > 0; length--) {
    const key = path.slice(0, length).join(".");
    if (isSettingKey(key)) return key;
  }
  return null;
}

function offsetOf(document: Document, { path, atKey }: { readonly path: Path; readonly atKey: boolean }): number {
  const pair = pairAt(document, path);
  if (pair === null) return path.length === 0 ? 0 : offsetOf(document, { path: path.slice(0, -1), atKey: false });
  const node = atKey || !isNode(pair.value) || pair.value.range === null ? pair.key : pair.value;
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

function pairAt(document: Document, path: Path): { readonly key: unknown; readonly value: unknown } | null {
  const last = path.at(-1);
  const parent = path.length <= 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (typeof last === "number" || last === undefined) return null;
  return isMap(parent) ? (pairsOf(parent).find(({ key }) => (isScalar(key) ? key.value : key) === last) ?? null) : null;
}

function pairsOf(map: YAMLMap): readonly { readonly key: unknown; readonly value: unknown }[] {
  return map.items.filter(isPair);
}

function valueAt(value: unknown, names: readonly string[]): unknown {
  return names.reduce<unknown>((inner, name) => objectIn(inner)[name], value);
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function firstLine(message: string): string {
  return message.split("\n")[0] ?? message;
}
