import * as z from "zod";
import { at, isObject } from "../files/json-path.js";

const NAME = "[\\w$-]+";
const STEP = `${NAME}(?:\\[(?:${NAME}=[^\\].]+)?\\])?`;

/** Where something stands in a value that came as JSON: `message.content`, `content[].text` (of each), `content[type=text].text` (of those). */
export const JsonField = z
  .string()
  .regex(new RegExp(`^${STEP}(?:\\.${STEP})*$`, "u"), "not the place of a field, as `message.content[type=text].text`");

/** What stands at a place; several values where it goes through a list. */
export function valuesAt(value: unknown, field: string): readonly unknown[] {
  return field.split(".").reduce<readonly unknown[]>((values, step) => values.flatMap((each) => stepInto(each, step)), [value]);
}

/** The texts at a place, one below the other; null where there is none. */
export function wordsAt(value: unknown, field: string): string | null {
  const texts = valuesAt(value, field).filter((found) => typeof found === "string" && found !== "");
  return texts.length === 0 ? null : texts.join("\n");
}

/** The count at a place; null where there is none. */
export function countIn(value: unknown, field: string): number | null {
  const found = valuesAt(value, field).find((each) => typeof each === "number" && Number.isSafeInteger(each) && each >= 0);
  return typeof found === "number" ? found : null;
}

function stepInto(value: unknown, step: string): readonly unknown[] {
  const [, name = "", list, key, wanted] = /^([^[]+)(\[(?:([^=]+)=(.+))?\])?$/u.exec(step) ?? [];
  const found = at(value, name);
  if (list === undefined) return found === undefined ? [] : [found];
  if (!Array.isArray(found)) return [];
  return key === undefined ? found : found.filter((each) => isObject(each) && each[key] === wanted);
}
