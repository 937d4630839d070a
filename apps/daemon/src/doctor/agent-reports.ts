import type { Finding } from "@tmpm/api/local";
import type { HookCounts } from "@tmpm/supervisor";

/** Reports for a stopped session or another conversation are normal; unauthorized ones are not. */
export function agentReports({ taken, refused, last_refused_at }: HookCounts): Finding {
  const { unknown_session: unknown = 0, wrong_token: wrong = 0, ...ignored } = refused;
  const parts = [
    `${taken} taken`,
    ...Object.entries(ignored).map(([why, count]) => `${count} without effect (${why.replaceAll("_", " ")})`),
    ...(unknown + wrong === 0
      ? []
      : [`${unknown + wrong} refused (${unknown} of unknown sessions, ${wrong} with a wrong token), last at ${last_refused_at}`]),
  ];
  const hint = "A program reports with the token of another launch or home; the activity of its sessions is read from their screens.";
  return {
    name: "agent reports",
    status: unknown + wrong === 0 ? "ok" : "warn",
    message: parts.join(", "),
    hint: unknown + wrong === 0 ? null : hint,
  };
}
