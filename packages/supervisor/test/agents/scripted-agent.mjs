// An agent with its own input that reads the terminal raw, draws as Claude Code does, and stores the SHA-256 of every prompt that it
// accepts. Its behaviour is a JSON document: the first argument's file, or `agent.json` in its directory. See `ScriptedBehaviour` in
// scripted-agent.ts.
import { createHash } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const path = process.argv[2]?.endsWith(".json") ? process.argv[2] : "agent.json";
const behaviour = JSON.parse(readFileSync(path, "utf8"));
const { log, mountMs = 0, swallow = 0, swallowEach = 0, dropEnterMs = 0, echoMs = 0, workMs = 0, framed = true, never = false } = behaviour;

let draft = behaviour.draft ?? "";
let draftLines = 1;
let shown = draft;
let placeholders = 0;
let dialog = behaviour.dialog === true;
let toSwallow = swallow + swallowEach;
let pasteEndedAt = 0;
let working = false;
let taken = 0;
const conversation = [];

const write = (text) => process.stdout.write(text);
const columns = () => process.stdout.columns || 80;

function draw() {
  const rule = "─".repeat(columns());
  const body = dialog
    ? [
        rule,
        " Do you trust the files in this folder?",
        "",
        " ❯ 1. Yes, I trust this folder",
        "   2. No, exit",
        "",
        " Enter to confirm · Esc to cancel",
      ]
    : [...above(), ...inputWithin(room()), rule, working ? "  esc to interrupt" : "  ? for shortcuts"];
  write(`\u001b]2;${dialog ? "host" : working ? "⠂ agent" : "✳ agent"}\u0007\u001b[?25l\u001b[H\u001b[2J${body.join("\r\n")}`);
  if (dialog) write("\u001b[4;2H");
  else write(`\u001b[${body.length - 2};4H`);
}

/** The rows between the conversation and the footer. */
function room() {
  return Math.max(3, (process.stdout.rows || 24) - above().length - 3);
}

function above() {
  return [...conversation.slice(-5), ""];
}

/** A longer text is scrolled, and the edge above it counts the hidden rows. */
function inputWithin(most) {
  const rows = inputRows();
  const hidden = rows.length - most;
  const edge = hidden > 0 ? `─── ↑ ${hidden} more ` : "";
  return [edge.padEnd(columns(), "─"), ...rows.slice(-most)];
}

/** The cursor is right of the third column while there is text: further left, it would be a proposal of Claude. */
function inputRows() {
  if (shown === "") return ["❯ "];
  const rows = shown.split("\n").flatMap((line) => wrap(line, Math.max(8, Math.floor(columns() / 2) - 4)));
  return rows.map((row, index) => (index === 0 ? `❯ ${row}` : `  ${row}`));
}

function wrap(line, width) {
  const characters = [...line.replaceAll("\t", "    ")];
  const rows = [];
  do rows.push(characters.splice(0, width).join(""));
  while (characters.length > 0);
  return rows;
}

/** A paste as the input shows it: itself, or a placeholder for a long one. */
function shownOf(text, lines) {
  return lines <= 3 && text.length <= 800 ? text : `[Pasted text #${placeholders} +${lines - 1} lines]`;
}

/** Without brackets, one paste comes in many pieces. */
function add(text) {
  if (framed || draft === "") placeholders += 1;
  const lines = text.split("\n").length;
  draftLines = draft === "" ? lines : draftLines + lines - 1;
  draft += text;
  shown = framed ? shown + shownOf(text, lines) : shownOf(draft, draftLines);
  repaint();
}

let drawing = false;

/** At most one redraw is pending, so that many pieces cost one. */
function repaint() {
  if (drawing) return;
  drawing = true;
  setTimeout(() => {
    drawing = false;
    draw();
  }, echoMs);
}

function enter() {
  if (dialog) dialog = false;
  else if (Date.now() - pasteEndedAt < dropEnterMs) return;
  else if (draft !== "" && toSwallow > 0) toSwallow -= 1;
  else if (draft !== "") submit();
  repaint();
}

function submit() {
  const sha256 = createHash("sha256").update(draft).digest("hex");
  taken += 1;
  appendFileSync(log, `${JSON.stringify({ n: taken, sha256, bytes: Buffer.byteLength(draft) })}\n`);
  conversation.push(`> ${taken}: ${Buffer.byteLength(draft)} bytes`);
  draft = "";
  shown = "";
  toSwallow = swallowEach;
  if (workMs === 0) return;
  working = true;
  setTimeout(() => {
    working = false;
    draw();
  }, workMs);
}

const BEGIN = "\u001b[200~";
const END = "\u001b[201~";
let pasted = null;
let held = "";

function read(chunk) {
  let text = held + chunk;
  held = "";
  while (text !== "") {
    if (pasted !== null) {
      const end = text.indexOf(END);
      if (end < 0) {
        // The closing bracket may be split.
        held = text.slice(-(END.length - 1));
        pasted.push(text.slice(0, text.length - held.length));
        return;
      }
      add([...pasted, text.slice(0, end)].join(""));
      pasted = null;
      pasteEndedAt = Date.now();
      text = text.slice(end + END.length);
    } else if (text.startsWith(BEGIN)) {
      pasted = [];
      text = text.slice(BEGIN.length);
    } else if (BEGIN.startsWith(text) && text.length > 1) {
      held = text;
      return;
    } else text = readKey(text);
  }
}

function readKey(text) {
  const [key] = text;
  if (key === "\r") enter();
  else if (key === "\u0003") [draft, shown] = ["", ""];
  else if (key === "\u001b") working = false;
  else {
    const plain = /^[^\r\u0003\u001b]+/.exec(text)[0];
    // Without brackets, a paste ends when no more comes.
    pasteEndedAt = Date.now();
    add(plain);
    return text.slice(plain.length);
  }
  repaint();
  return text.slice(1);
}

process.on("SIGHUP", () => process.exit(0));
process.stdin.setRawMode(true);
process.stdin.setEncoding("utf8");
if (never) {
  process.stdin.resume();
  await new Promise(() => setInterval(() => undefined, 60_000));
}
if (behaviour.paintFirst === true) draw();
await pause(mountMs);
if (framed) write("\u001b[?2004h");
process.stdin.on("data", read);
process.stdout.on("resize", draw);
draw();
