import { type TmpmError, visibleText } from "@tmpm/core";

/** An error for people: what happened, whether it may have taken effect, and what to do. */
export function errorLines({ message, effect, hint }: TmpmError): readonly string[] {
  const effectLine = effect === "unknown" ? ["It may have taken effect: check before you repeat it."] : [];
  return [message, ...effectLine, ...(hint === null ? [] : [hint])].map(visibleText);
}
