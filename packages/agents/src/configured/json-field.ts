import * as z from "zod";
import { at, isObject } from "../files/json-path.js";

const NAME = "[\\w$-]+";
const STEP = `${NAME}(?:\\[(?:${NAME}=[^\\].]+)?\\])?`;

/** A path in a JSON value: `message.content`, `content[].text` (of each), `content[type=text].text` (of those). */
export const JsonField = z
  .string()
  .regex(new RegExp(`^${STEP}(?:\\.${STEP})*$`, "u"), "not a field path, such as `message.content[type=text].text`");

/** The values at a path; several when it passes through a list. */
export function valuesAt(value: unknown, field: string): readonly unknown[] {
  return field.split(".").reduce<readonly unknown[]>((values, step) => values.flatMap((each) => stepInto(each, step)), [value]);
}

/** The texts at a path, joined by lines; null without any. */
export function wordsAt(value: unknown, field: string): string | null {
  const texts = valuesAt(value, field).filter((found) => typeof found === "string" && found !== "");
  return texts.length === 0 ? null : texts.join("\n");
}

/** The count at a path; null without one. */
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
