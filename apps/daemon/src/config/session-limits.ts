import type { SettingValues } from "@tmpm/api/config";
import { DEFAULT_SETTINGS, type Settings } from "@tmpm/supervisor";

const MIB = 1024 * 1024;

/** What the settings say about sessions: limits of running ones, of queued prompts and uploads, and what is resumed or recorded by itself. */
export function sessionLimits(
  values: SettingValues,
): Pick<Settings, "maxSessions" | "queueDepth" | "uploads" | "autoResume" | "resumeAfterLimit" | "turnTrees"> {
  const { uploads, resumeAfterLimit } = DEFAULT_SETTINGS;
  return {
    autoResume: values["sessions.auto_resume"],
    turnTrees: values["sessions.turn_trees"],
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
