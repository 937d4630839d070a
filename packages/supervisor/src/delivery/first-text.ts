import { parseText, type Receipt } from "@tmpm/core";

const OUTER_BLANKS = /^\p{White_Space}+|\p{White_Space}+$/gu;

/** Outer blanks of a prompt are trimmed, and a blank one is none (swimmers 2.7). Zero-width characters are part of it. */
export function firstText(given: string | undefined): { readonly prompt: string | null; readonly trimmed: boolean } {
  if (given === undefined || given.replace(OUTER_BLANKS, "") === "") return { prompt: null, trimmed: false };
  const text = parseText(given);
  const prompt = text.replace(OUTER_BLANKS, "");
  return { prompt, trimmed: prompt !== text };
}

/** For a typed or passed prompt, the receipt reports differences from the given text. */
export function withoutBlanks(receipt: Receipt): Receipt {
  if (receipt.outcome === "refused" || receipt.outcome === "held") return receipt;
  const says = "leading and trailing whitespace is removed";
  return { ...receipt, altered: receipt.altered === null ? says : `${says}; ${receipt.altered}` };
}
