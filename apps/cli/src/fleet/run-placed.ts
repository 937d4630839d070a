import { isTmpmError, TmpmError } from "@tmpm/core";
import type { Command, RawInput, Report } from "../command.js";
import type { Context } from "../context.js";
import { usageError } from "../parse/usage-error.js";
import { addressedCommands } from "./addressed-commands.js";
import { anyNode } from "./any-node.js";
import { namesNode, type Placed, placesOf, refuseActing } from "./place.js";

/** Runs a command line on its target machines, with the same effect as on this one. */
export async function runPlaced(
  command: Command,
  { raw, context }: { readonly raw: RawInput; readonly context: Context },
): Promise<Report> {
  if (!namesNode(command, raw)) return command.execute(raw, context);
  const named = placesOf(command, raw);
  if (named.some(({ node }) => node !== null)) refuseActing(context.settled());
  const places = await Promise.all(named.map((place) => chosen(place, { command, context })));
  const reports: Report[] = [];
  if (command.name === "wait") reports.push(...(await waited(command, { places, raw, context })));
  else
    for (const { node, raw: own, why } of places)
      reports.push(withNote(await executed(command, { node, raw: own, context: context.at(node) }), why));
  const [only] = reports;
  // For several sessions the result is a list, even if one of them ended the wait.
  const isOne = places.length === 1 || command.name !== "wait";
  return reports.length === 1 && only !== undefined && isOne ? only : merged(command, reports);
}

interface ChosenPlace extends Placed {
  /** The reason for choosing this machine, with `--on any`. */
  readonly why?: string;
}

/** The commands that it suggests name the machine. */
async function executed(command: Command, { node, raw, context }: Placed & { readonly context: Context }): Promise<Report> {
  if (node === null) return command.execute(raw, context);
  try {
    const report = await command.execute(raw, context);
    return { ...report, notes: report.notes.map((note) => addressedCommands(note, node)) };
  } catch (error) {
    if (!isTmpmError(error) || error.hint === null) throw error;
    const { code, message, hint, effect, details, cause } = error;
    throw new TmpmError(code, message, { hint: addressedCommands(hint, node), effect, details, cause });
  }
}

function withNote(report: Report, note: string | undefined): Report {
  return note === undefined ? report : { ...report, notes: [...report.notes, note] };
}

async function chosen(place: Placed, { command, context }: { readonly command: Command; readonly context: Context }): Promise<ChosenPlace> {
  if (place.node !== "any") return place;
  if (command.name !== "new")
    throw usageError(`--on any applies to new only, not to ${command.name}`, "Name the node; `tmpm nodes` lists them.");
  const { label, ...values } = place.raw.values;
  const labels = Array.isArray(label) ? label.map(String) : [];
  return { ...(await anyNode(context, labels)), raw: { ...place.raw, values } };
}

interface Waiting {
  readonly places: readonly Placed[];
  readonly raw: RawInput;
  readonly context: Context;
}

/** Runs all in parallel: with `--any` the first result ends the others. */
async function waited(command: Command, { places, raw, context }: Waiting): Promise<readonly Report[]> {
  const over = new AbortController();
  const running = places.map(({ node, raw: own }) => executed(command, { node, raw: own, context: context.at(node, over.signal) }));
  try {
    return await (raw.values.any === true ? anyOf(running) : Promise.all(running));
  } finally {
    over.abort();
  }
}

async function anyOf(running: readonly Promise<Report>[]): Promise<readonly Report[]> {
  try {
    return [await Promise.any(running)];
  } catch (error) {
    throw firstOf(error);
  }
}

function firstOf(error: unknown): unknown {
  return error instanceof AggregateError ? error.errors[0] : error;
}

/** The output of several machines, one below the other. */
function merged(command: Command, reports: readonly Report[]): Report {
  return {
    json: command.name === "wait" ? waitedJson(reports) : reports.map(({ json }) => json).join("\n"),
    text: (view) =>
      reports
        .map((report) => report.text(view))
        .filter((text) => text !== "")
        .join("\n"),
    verbatim: reports.some(({ verbatim }) => verbatim),
    notes: reports.flatMap(({ notes }) => notes),
    exit: reports.map(({ exit }) => exit).find((exit) => exit !== 0) ?? 0,
  };
}

/** The same form as for several sessions of one machine. */
function waitedJson(reports: readonly Report[]): string {
  const answers: readonly { readonly sessions?: readonly object[] }[] = reports.map(({ json }) => JSON.parse(json));
  return JSON.stringify({ sessions: answers.flatMap((answer) => answer.sessions ?? [answer]) });
}
