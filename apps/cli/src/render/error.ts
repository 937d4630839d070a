import { type TmpmError, visibleText } from "@tmpm/core";

/** An error for people: what happened, whether it may have had its effect, and what to do. */
export function errorLines({ message, effect, hint }: TmpmError): readonly string[] {
  const effectLine = effect === "unknown" ? ["It may have taken effect: look before you repeat it."] : [];
  return [message, ...effectLine, ...(hint === null ? [] : [hint])].map(visibleText);
}
