import { TmpmError } from "@tmpm/core";
import { DEFAULT_SETTINGS, type Settings } from "@tmpm/supervisor";

const MIB = 1024 * 1024;

/** Limits from the environment: running sessions, queued prompts and uploaded files per session, and stored turns. @throws INVALID_ARGUMENT */
export function sessionLimits(
  env: NodeJS.ProcessEnv,
): Pick<Settings, "maxSessions" | "queueDepth" | "uploads" | "resumeAfterLimit" | "turnTrees"> {
  const { maxSessions, queueDepth, uploads, resumeAfterLimit } = DEFAULT_SETTINGS;
  const mib = (name: string, bytes: number) => MIB * wholeNumber(env, { name, usual: bytes / MIB });
  return {
    turnTrees: env.TMPM_TURN_TREES !== "off",
    maxSessions: wholeNumber(env, { name: "TMPM_MAX_SESSIONS", usual: maxSessions }),
    queueDepth: wholeNumber(env, { name: "TMPM_QUEUE_DEPTH", usual: queueDepth }),
    resumeAfterLimit: {
      on: env.TMPM_RESUME_AFTER_LIMIT === "on",
      tries: wholeNumber(env, { name: "TMPM_RESUME_AFTER_LIMIT_TRIES", usual: resumeAfterLimit.tries }),
      prompt: env.TMPM_RESUME_AFTER_LIMIT_PROMPT || resumeAfterLimit.prompt,
    },
    uploads: {
      ...uploads,
      fileBytes: mib("TMPM_UPLOAD_FILE_MIB", uploads.fileBytes),
      requestBytes: mib("TMPM_UPLOAD_PROMPT_MIB", uploads.requestBytes),
      requestFiles: wholeNumber(env, { name: "TMPM_UPLOAD_PROMPT_FILES", usual: uploads.requestFiles }),
      sessionBytes: mib("TMPM_UPLOAD_SESSION_MIB", uploads.sessionBytes),
    },
  };
}

function wholeNumber(env: NodeJS.ProcessEnv, { name, usual }: { readonly name: string; readonly usual: number }): number {
  const text = env[name];
  if (text === undefined || text === "") return usual;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new TmpmError("INVALID_ARGUMENT", `${name} is a whole number, not ${JSON.stringify(text)}`);
}
