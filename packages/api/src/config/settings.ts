import { isGrantText } from "@tmpm/core";
import { address, checked, choice, decimal, type Form, list, text, truth, whole } from "./form.js";
import { NOTIFY_SETTINGS } from "./notify-settings.js";
import { optional, type Setting, setting } from "./setting.js";

const path = text("a path");
const names = list("a list of names of variables", { separator: ",", item: /^[A-Za-z_][A-Za-z0-9_]*$/ });
const name = text("a name of ASCII letters, digits, - and _", /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/);

/** Every setting, by its key. */
export const SETTINGS = {
  home: optional({
    form: path,
    usual: "$XDG_STATE_HOME/tmpm",
    env: "TMPM_HOME",
    counts: "restart",
    summary: "Folder of records, events and logs",
  }),
  socket: optional({
    form: path,
    usual: "$XDG_RUNTIME_DIR/tmpm/tmpm.sock",
    env: "TMPM_SOCKET",
    counts: "restart",
    summary: "Daemon socket",
  }),
  "store.layout": setting({
    form: choice("directory", "single-file"),
    fallback: "directory",
    env: "TMPM_STORE_LAYOUT",
    counts: "restart",
    summary: "Layout of the records: one file each in the home folder, or the one file of trusty-mpm, shared with it",
  }),
  "store.path": optional({
    form: path,
    usual: "~/.trusty-mpm/session-manager/sessions.json",
    env: "TMPM_STORE_PATH",
    counts: "restart",
    summary: "File of the single-file layout",
  }),
  "tmux.socket": optional({
    form: text("a name for tmux -L, or a path"),
    usual: "tmpm",
    env: "TMPM_TMUX_SOCKET",
    counts: "restart",
    summary: "Socket of tmpm's own tmux server: a name or a path",
  }),
  "tmux.config": setting({
    form: choice("keys", "all"),
    fallback: "keys",
    env: "TMPM_TMUX_CONFIG",
    counts: "restart",
    summary: "Settings to adopt from your tmux configuration: prefix, mode keys and mouse, or everything",
  }),
  "tmux.foreign_sockets": setting({
    form: list("a list of tmux sockets", { separator: ":" }),
    fallback: ["default"],
    env: "TMPM_FOREIGN_SOCKETS",
    counts: "restart",
    summary: "Other tmux servers to search: names or paths",
  }),
  "listen.address": optional({
    form: text("an address and a port, such as 127.0.0.1:7777", /^\S+:\d{1,5}$/),
    env: "TMPM_LISTEN",
    flag: "--listen",
    counts: "restart",
    summary: "TCP address of the daemon, besides its socket",
  }),
  "listen.tls_cert": optional({
    form: path,
    env: "TMPM_TLS_CERT",
    flag: "--tls-cert",
    counts: "restart",
    summary: "TLS certificate, PEM",
  }),
  "listen.tls_key": optional({
    form: path,
    env: "TMPM_TLS_KEY",
    flag: "--tls-key",
    counts: "restart",
    summary: "Private key of the certificate, PEM",
  }),
  "listen.public_url": optional({
    form: address("the address of a page", /^https?:\/\/\S+$/),
    env: "TMPM_PUBLIC_URL",
    counts: "restart",
    summary: "Address of the dashboard behind a reverse proxy, such as https://box.example/tmpm/",
  }),
  "client.url": optional({
    form: address("the http or https address of a daemon", /^https?:\/\/\S+$/),
    env: "TMPM_URL",
    counts: "command",
    summary: "URL of the daemon of another machine",
  }),
  "client.token": optional({
    form: text("a token"),
    env: "TMPM_TOKEN",
    counts: "command",
    secrecy: "withheld",
    summary: "Token for it; variable only, use client.token_file in the file",
  }),
  "client.token_file": optional({
    form: path,
    env: "TMPM_TOKEN_FILE",
    counts: "command",
    summary: "File that holds the token for it",
  }),
  "daemon.program": optional({
    form: path,
    usual: "the installed one",
    env: "TMPM_DAEMON",
    counts: "command",
    summary: "Program of the daemon",
  }),
  "log.level": setting({
    form: choice("trace", "debug", "info", "warn", "error", "fatal", "silent"),
    fallback: "info",
    env: "TMPM_LOG_LEVEL",
    counts: "at once",
    summary: "Minimum level of the daemon's log",
  }),
  "sessions.max": setting({
    form: whole(0, 999_999),
    fallback: 0,
    env: "TMPM_MAX_SESSIONS",
    counts: "restart",
    summary: "Maximum number of running sessions; 0 for no limit",
  }),
  "sessions.queue_depth": setting({
    form: whole(1, 999_999),
    fallback: 32,
    env: "TMPM_QUEUE_DEPTH",
    counts: "restart",
    summary: "Maximum number of queued prompts per session",
  }),
  "sessions.auto_resume": setting({
    form: truth,
    fallback: true,
    env: "TMPM_AUTO_RESUME",
    counts: "restart",
    summary: "Resume sessions that stopped unexpectedly",
  }),
  "sessions.turn_trees": setting({
    form: truth,
    fallback: true,
    env: "TMPM_TURN_TREES",
    counts: "restart",
    summary: "Record the work tree before and after each turn in the session's repository, for diff --turn",
  }),
  "sessions.resume_after_limit": setting({
    form: truth,
    fallback: false,
    env: "TMPM_RESUME_AFTER_LIMIT",
    counts: "restart",
    summary: "Resume sessions automatically once a usage limit has reset",
  }),
  "sessions.resume_after_limit_tries": setting({
    form: whole(1, 20),
    fallback: 5,
    env: "TMPM_RESUME_AFTER_LIMIT_TRIES",
    counts: "restart",
    summary: "Maximum consecutive automatic resumes without user input",
  }),
  "sessions.resume_after_limit_prompt": optional({
    form: text("a prompt"),
    usual: "The usage limit has reset. Continue where you stopped.",
    env: "TMPM_RESUME_AFTER_LIMIT_PROMPT",
    counts: "restart",
    summary: "Prompt that resumes them",
  }),
  "sessions.retention_days": setting({
    form: whole(1, 99_999),
    fallback: 30,
    env: "TMPM_RETENTION_DAYS",
    counts: "restart",
    summary: "Days that finished sessions are listed, and then kept",
  }),
  "sessions.pass_env": setting({
    form: names,
    fallback: [],
    env: "TMPM_PASS_ENV",
    counts: "command",
    summary: "Names of further environment variables to pass to sessions",
  }),
  "sessions.grant": setting({
    form: checked("a grant, such as none, tree or tree,children=8", { pattern: /^[a-z0-9=,_ -]+$/, isValid: isGrantText }),
    fallback: "none",
    env: "TMPM_GRANT",
    counts: "restart",
    summary: "Grant of sessions that you start without --grant: what they may do to others",
  }),
  "workspaces.clone_seconds": setting({
    form: decimal(0, 86_400),
    fallback: 120,
    env: "TMPM_CLONE_SECONDS",
    counts: "restart",
    summary: "Timeout of a clone and of its checkout, in seconds",
  }),
  "streams.buffer_bytes": setting({
    form: whole(65_536, 16_777_216),
    fallback: 524_288,
    env: "TMPM_STREAM_BUFFER",
    counts: "restart",
    summary: "Output kept per watched terminal, in bytes",
  }),
  "uploads.file_mib": setting({
    form: whole(0, 999_999),
    fallback: 10,
    env: "TMPM_UPLOAD_FILE_MIB",
    counts: "restart",
    summary: "Maximum size of an upload, in MiB",
  }),
  "uploads.prompt_mib": setting({
    form: whole(0, 999_999),
    fallback: 20,
    env: "TMPM_UPLOAD_PROMPT_MIB",
    counts: "restart",
    summary: "Maximum total size of a prompt's files, in MiB",
  }),
  "uploads.prompt_files": setting({
    form: whole(0, 999_999),
    fallback: 20,
    env: "TMPM_UPLOAD_PROMPT_FILES",
    counts: "restart",
    summary: "Maximum number of files per prompt",
  }),
  "uploads.session_mib": setting({
    form: whole(0, 999_999),
    fallback: 500,
    env: "TMPM_UPLOAD_SESSION_MIB",
    counts: "restart",
    summary: "Maximum total size of a session's files, in MiB",
  }),
  "new.profile": optional({
    form: name,
    env: "TMPM_PROFILE",
    flag: "--profile",
    counts: "command",
    summary: "Default profile of `tmpm new`",
  }),
  ...NOTIFY_SETTINGS,
} as const;

export type SettingKey = keyof typeof SETTINGS;

type Of<S> = S extends { readonly form: Form<infer T>; readonly fallback: infer F } ? T | Extract<F, null> : never;

/** The effective values, typed by key. */
export type SettingValues = { readonly [K in SettingKey]: Of<(typeof SETTINGS)[K]> };

export const SETTING_KEYS: readonly SettingKey[] = Object.keys(SETTINGS).filter(isSettingKey);

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(SETTINGS, key);
}

/** Any of them, without its own type. */
export function settingOf(key: SettingKey): Setting<unknown> {
  return SETTINGS[key] as Setting<unknown>;
}
