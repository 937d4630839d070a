import { configPath } from "@tmpm/api/local";
import { ERRORS } from "@tmpm/core";
import { command } from "../command.js";
import { type Completions, NO_VALUES } from "../completion/completions.js";
import type { Changed } from "../config/change-config.js";
import type { Edited } from "../config/edit-config-file.js";
import type { OpenConfig, SettingAnswer } from "../config/open-config.js";
import type { Context } from "../context.js";
import { usageError } from "../parse/usage-error.js";
import { FLAG, listOf, NO_NEXT, OR_NULL, objectOf, TEXT } from "../printed.js";
import { renderConfig } from "../render/config.js";
import { facts } from "../render/facts.js";
import { oneLine } from "../render/one-line.js";
import { shortPath } from "../render/path.js";

const ACTIONS = ["list", "get", "set", "unset", "edit", "path", "schema"] as const;

type Result =
  | { readonly kind: "list"; readonly config: OpenConfig; readonly all: boolean; readonly mistakes: readonly string[] }
  | { readonly kind: "setting"; readonly setting: SettingAnswer }
  | { readonly kind: "profile"; readonly profile: object }
  | { readonly kind: "changed"; readonly changed: Changed }
  | { readonly kind: "edited"; readonly edited: Edited }
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "schema"; readonly schema: object };

const SETTING = objectOf({ key: TEXT, value: {}, shown: TEXT, source: TEXT, variable: TEXT, option: { type: OR_NULL }, summary: TEXT });

export const config = command({
  name: "config",
  group: "Set up tmpm",
  summary: "Show, set and edit the configuration",
  more: `Options override environment variables, which override the file, which overrides defaults. Secrets are never printed. See docs/config.md.

  tmpm config list                     settings that differ from their defaults, and their source
  tmpm config list --all               every setting
  tmpm config set sessions.max 12      keeps comments and order in the file
  tmpm config set notify.command '["say", "--fast"]'
  tmpm config set profiles.careful.permissions plan
  tmpm config unset sessions.max
  tmpm config edit                     in $VISUAL or $EDITOR; validated before it takes effect
  tmpm config schema > schema.json     JSON Schema, for editors`,
  args: {
    action: {
      takes: "optional",
      label: "ACTION",
      summary: "list (default), get, set, unset, edit, path or schema",
      choices: ACTIONS,
    },
    key: {
      takes: "optional",
      label: "KEY",
      summary: "get, set, unset: the setting, such as log.level",
      completes: ([action]) => keysOf(action),
    },
    value: {
      takes: "optional",
      mayBeEmpty: true,
      label: "VALUE",
      summary: "set: the new value",
      completes: ([action]) => (action === "set" ? { kind: "setting_values" } : NO_VALUES),
    },
  },
  options: { all: { takes: "flag", summary: "list: include defaults" } },
  printed: {
    forms: [
      objectOf({ path: TEXT, exists: FLAG, settings: listOf(SETTING), profiles: { type: "object" }, mistakes: listOf(TEXT), ...NO_NEXT }),
      SETTING,
      objectOf({ path: TEXT, key: TEXT, changed: FLAG, shown: TEXT, notes: listOf(TEXT) }),
      objectOf({ path: TEXT, changed: FLAG }),
      objectOf({ path: TEXT }),
      { type: "object", description: "A profile, or the JSON Schema of the file." },
    ],
  },
  async run({ action = "list", key, value, all }, context): Promise<Result> {
    if (all && action !== "list") throw usageError("--all applies to list only", "See `tmpm config --help`.");
    const takes = action === "set" ? 2 : action === "get" || action === "unset" ? 1 : 0;
    const given = value === undefined ? (key === undefined ? 0 : 1) : 2;
    if (given !== takes)
      throw usageError(`${action} takes ${["no key", "a key", "a key and a value"][takes]}`, "See `tmpm config --help`.");
    return act(context, { action, key: key ?? "", value: value ?? "", all });
  },
  render(result, view) {
    switch (result.kind) {
      case "list":
        return renderConfig({ ...result.config, all: result.all }, view);
      case "setting":
        return oneLine(result.setting.shown);
      case "profile":
        return facts(
          Object.entries(result.profile).map(([field, value]) => [field, typeof value === "string" ? value : JSON.stringify(value)]),
          view,
        );
      case "changed":
        return `${result.changed.key}: ${oneLine(result.changed.shown)}`;
      case "edited":
        return result.edited.changed ? `changed ${shortPath(result.edited.path, view.userHome)}` : "nothing was changed";
      case "path":
        return result.path;
      case "schema":
        return JSON.stringify(result.schema, null, 2);
    }
  },
  verbatim: ({ kind }) => kind === "schema" || kind === "path" || kind === "setting",
  json(result) {
    switch (result.kind) {
      case "list": {
        const { path, text, settings, profiles, mistakes } = result.config;
        return JSON.stringify({ path, exists: text !== null, settings, profiles, mistakes, next: null });
      }
      case "setting":
        return JSON.stringify(result.setting);
      case "profile":
        return JSON.stringify(result.profile);
      case "changed":
        return JSON.stringify(result.changed);
      case "edited":
        return JSON.stringify(result.edited);
      case "path":
        return JSON.stringify({ path: result.path });
      case "schema":
        return JSON.stringify(result.schema);
    }
  },
  notes(result) {
    if (result.kind === "changed") return result.changed.notes;
    if (result.kind !== "list") return [];
    const { settings, profiles } = result.config;
    const nothing = settings.every(({ source }) => source === "default") && Object.keys(profiles).length === 0;
    return [
      ...result.mistakes,
      ...(nothing && !result.all ? ["all settings have their defaults; `tmpm config list --all` shows them"] : []),
    ];
  },
  exit: (result) => (result.kind === "list" && result.mistakes.length > 0 ? ERRORS.CONFIG_INVALID.exit : 0),
});

interface Wanted {
  readonly action: (typeof ACTIONS)[number];
  readonly key: string;
  readonly value: string;
  readonly all: boolean;
}

async function act({ env }: Context, { action, key, value, all }: Wanted): Promise<Result> {
  switch (action) {
    case "list":
      return list(env, all);
    case "get":
      return get(env, key);
    case "set":
    case "unset": {
      const { changeConfig } = await import("../config/change-config.js");
      return { kind: "changed", changed: await changeConfig(env, { key, value: action === "set" ? value : null }) };
    }
    case "edit": {
      const { editConfigFile } = await import("../config/edit-config-file.js");
      return { kind: "edited", edited: await editConfigFile(env) };
    }
    case "path":
      return { kind: "path", path: configPath(env) };
    case "schema": {
      const { configJsonSchema } = await import("../config-library.js");
      return { kind: "schema", schema: configJsonSchema() };
    }
  }
}

async function list(env: Context["env"], all: boolean): Promise<Result> {
  const { openConfig } = await import("../config/open-config.js");
  const { mistakeLine } = await import("../config-library.js");
  const opened = await openConfig(env);
  return { kind: "list", config: opened, all, mistakes: opened.mistakes.map((mistake) => mistakeLine(opened.path, mistake)) };
}

async function get(env: Context["env"], text: string): Promise<Result> {
  const { knownKey } = await import("../config/known-key.js");
  const { openConfig } = await import("../config/open-config.js");
  const key = await knownKey(text);
  const { settings, profiles } = await openConfig(env);
  if (key.kind === "setting") {
    const setting = settings.find((each) => each.key === key.key);
    if (setting !== undefined) return { kind: "setting", setting };
  }
  const profile = key.kind === "profile" ? profiles[key.profile] : undefined;
  if (profile === undefined) throw usageError(`${text} does not exist`, "`tmpm config list` shows the profiles.");
  const field = key.kind === "profile" ? key.field : null;
  const entries = Object.entries(profile).filter(([name]) => field === null || name === field);
  return { kind: "profile", profile: Object.fromEntries(entries) };
}

function keysOf(action: string | undefined): Completions {
  if (action === "unset") return { kind: "set_settings" };
  return action === "get" || action === "set" ? { kind: "settings" } : NO_VALUES;
}
