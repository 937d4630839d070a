import { argv, choice, decimal, list, text, truth } from "./form.js";
import { optional, setting } from "./setting.js";

/** What is told of sessions, how and when. */
export const NOTIFY_SETTINGS = {
  "notify.sessions": setting({
    form: choice("all", "marked"),
    fallback: "all",
    env: "TMPM_NOTIFY_SESSIONS",
    counts: "at once",
    summary: "Which sessions are told of: all but those with --notify off, or only those with --notify on",
  }),
  "notify.of": setting({
    form: list("a list of needs_you, finished and failed", { separator: ",", item: /^(needs_you|finished|failed)$/ }),
    fallback: ["needs_you", "finished", "failed"],
    env: "TMPM_NOTIFY_OF",
    counts: "at once",
    summary: "What is told",
  }),
  "notify.desktop": setting({
    form: truth,
    fallback: false,
    env: "TMPM_NOTIFY_DESKTOP",
    counts: "at once",
    summary: "Show notices on the desktop, with notify-send or osascript",
  }),
  "notify.command": setting({
    form: argv,
    fallback: [],
    env: "TMPM_NOTIFY_COMMAND",
    counts: "at once",
    summary: "A program that is run for each notice, which it reads as JSON",
  }),
  "notify.window_seconds": setting({
    form: decimal(0, 3_600),
    fallback: 5,
    env: "TMPM_NOTIFY_WINDOW_SECONDS",
    counts: "at once",
    summary: "What happens within this time is told in one notice",
  }),
  "notify.finished_after_seconds": setting({
    form: decimal(0, 86_400),
    fallback: 10,
    env: "TMPM_NOTIFY_FINISHED_AFTER_SECONDS",
    counts: "at once",
    summary: "Work that took less is not told of when it is finished",
  }),
  "notify.quiet_hours": optional({
    form: text("a time from and a time to, such as 22:00-07:30", /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/),
    env: "TMPM_NOTIFY_QUIET_HOURS",
    counts: "at once",
    summary: "When nothing is told, in local time; what still holds is told at their end",
  }),
  "notify.webhook.url": optional({
    form: text("an http or https address", /^https?:\/\/[^\s/@]+(\/\S*)?$/),
    env: "TMPM_NOTIFY_WEBHOOK_URL",
    counts: "at once",
    secrecy: "hidden",
    summary: "Where each notice is posted to as JSON",
  }),
  "notify.webhook.secret_file": optional({
    form: text("a path"),
    env: "TMPM_NOTIFY_WEBHOOK_SECRET_FILE",
    counts: "at once",
    summary: "The file with the secret that signs it",
  }),
  "notify.webhook.allow_http": setting({
    form: truth,
    fallback: false,
    env: "TMPM_NOTIFY_WEBHOOK_ALLOW_HTTP",
    counts: "at once",
    summary: "Post in the clear to other machines, too",
  }),
} as const;
