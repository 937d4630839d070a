import { isTmpmError } from "@tmpm/core/errors";
import { shown } from "./shown.js";

/** A failure in the words of the command line: what happened, what to do, and the code. */
interface FailureWords {
  /** Null if it is not the daemon's. */
  readonly code: string | null;
  readonly message: string;
  readonly hint: string | null;
  /** It may have taken effect. */
  readonly uncertain: boolean;
}

function failureWords(error: unknown): FailureWords {
  if (error instanceof DOMException) return ofBrowser(error);
  if (!isTmpmError(error))
    return { code: "INTERNAL", message: error instanceof Error ? shown(error.message) : "something failed", hint: null, uncertain: true };
  return {
    code: error.code,
    message: shown(error.message),
    hint: error.hint === null ? null : shown(error.hint),
    uncertain: error.effect === "unknown",
  };
}

/** The browser refused what the page asked for; the daemon was not involved. */
function ofBrowser({ name, message }: DOMException): FailureWords {
  const words = name === "NotAllowedError" ? "the browser did not allow it" : `the browser refused: ${shown(message)}`;
  return { code: null, message: words, hint: null, uncertain: false };
}

/** In one to three sentences. */
export function failureText(error: unknown): string {
  const { code, message, hint, uncertain } = failureWords(error);
  const doubt = uncertain ? " It may have taken effect: check first." : "";
  return `${sentence(message)}${hint === null ? "" : ` ${sentence(hint)}`}${doubt}${code === null ? "" : ` (${code})`}`;
}

function sentence(text: string): string {
  const trimmed = text.trim();
  const begun = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
