import type { SettingValues } from "@tmpm/api/config";
import { parseGrant } from "@tmpm/core";
import { DEFAULT_SETTINGS, type Settings } from "@tmpm/supervisor";

const MIB = 1024 * 1024;

/** What the settings say about sessions: limits of running ones, of queued prompts and uploads, what is resumed or recorded by itself, and the usual grant. */
export function sessionLimits(
  values: SettingValues,
): Pick<Settings, "maxSessions" | "queueDepth" | "uploads" | "autoResume" | "resumeAfterLimit" | "turnTrees" | "grant"> {
  const { uploads, resumeAfterLimit } = DEFAULT_SETTINGS;
  const grant = parseGrant(values["sessions.grant"]);
  return {
    autoResume: values["sessions.auto_resume"],
    turnTrees: values["sessions.turn_trees"],
    grant: grant.reach === "none" ? null : grant,
    maxSessions: values["sessions.max"],
    queueDepth: values["sessions.queue_depth"],
    resumeAfterLimit: {
      on: values["sessions.resume_after_limit"],
      tries: values["sessions.resume_after_limit_tries"],
      prompt: values["sessions.resume_after_limit_prompt"] ?? resumeAfterLimit.prompt,
    },
    uploads: {
      ...uploads,
      fileBytes: values["uploads.file_mib"] * MIB,
      requestBytes: values["uploads.prompt_mib"] * MIB,
      requestFiles: values["uploads.prompt_files"],
      sessionBytes: values["uploads.session_mib"] * MIB,
    },
  };
}
