import { address, argv, choice, decimal, list, text, truth } from "./form.js";
import { optional, setting } from "./setting.js";

/** Settings for the events that cause notifications, their channels and times. */
export const NOTIFY_SETTINGS = {
  "notify.sessions": setting({
    form: choice("all", "marked"),
    fallback: "all",
    env: "TMPM_NOTIFY_SESSIONS",
    counts: "at once",
    summary: "Sessions to notify about: all except those with --notify off, or only those with --notify on",
  }),
  "notify.of": setting({
    form: list("a list of needs_you, finished and failed", { separator: ",", item: /^(needs_you|finished|failed)$/ }),
    fallback: ["needs_you", "finished", "failed"],
    env: "TMPM_NOTIFY_OF",
    counts: "at once",
    summary: "Kinds of notifications",
  }),
  "notify.desktop": setting({
    form: truth,
    fallback: false,
    env: "TMPM_NOTIFY_DESKTOP",
    counts: "at once",
    summary: "Show notifications on the desktop, with notify-send or osascript",
  }),
  "notify.command": setting({
    form: argv,
    fallback: [],
    env: "TMPM_NOTIFY_COMMAND",
    counts: "at once",
    summary: "Program to run for each notification, which it reads as JSON",
  }),
  "notify.window_seconds": setting({
    form: decimal(0, 3_600),
    fallback: 5,
    env: "TMPM_NOTIFY_WINDOW_SECONDS",
    counts: "at once",
    summary: "Period grouped into one notification, in seconds",
  }),
  "notify.finished_after_seconds": setting({
    form: decimal(0, 86_400),
    fallback: 10,
    env: "TMPM_NOTIFY_FINISHED_AFTER_SECONDS",
    counts: "at once",
    summary: "Minimum duration of finished work to report, in seconds",
  }),
  "notify.quiet_hours": optional({
    form: text("a time from and a time to, such as 22:00-07:30", /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/),
    env: "TMPM_NOTIFY_QUIET_HOURS",
    counts: "at once",
    summary: "Quiet hours, in local time; what still applies is reported at their end",
  }),
  "notify.webhook.url": optional({
    form: address("an http or https address", /^https?:\/\/[^\s/@]+(\/\S*)?$/),
    env: "TMPM_NOTIFY_WEBHOOK_URL",
    counts: "at once",
    secrecy: "hidden",
    summary: "URL to which each notification is posted as JSON",
  }),
  "notify.webhook.secret_file": optional({
    form: text("a path"),
    env: "TMPM_NOTIFY_WEBHOOK_SECRET_FILE",
    counts: "at once",
    summary: "File with the secret that signs it",
  }),
  "notify.webhook.allow_http": setting({
    form: truth,
    fallback: false,
    env: "TMPM_NOTIFY_WEBHOOK_ALLOW_HTTP",
    counts: "at once",
    summary: "Allow http to other machines",
  }),
} as const;
