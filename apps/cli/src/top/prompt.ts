import type { Message } from "./message.js";
import type { Mode } from "./state.js";
import { Editor, Input, parseKey, type TUI } from "./terminal-ui.js";
import type { PromptView } from "./view/frame.js";

/** A text input at the bottom of the screen. */
export interface Prompt {
  readonly mode: Mode;
  input(data: string): void;
  view(columns: number): PromptView;
}

export interface PromptOptions {
  readonly tui: TUI;
  readonly filter: string;
  readonly send: (message: Message) => void;
}

/** The prompt of this mode; null if keys are commands. */
export function promptOf(mode: Mode, { tui, filter, send }: PromptOptions): Prompt | null {
  if (mode.kind === "send")
    return textPrompt(mode, { tui, send, label: `Send to ${mode.to.name}: Enter sends, Ctrl-J new line, Esc cancels` });
  if (mode.kind === "filter")
    return linePrompt(mode, { send, value: filter, label: "Filter: words, state:, project:, agent:, node: (Enter or Esc)" });
  if (mode.kind === "search")
    return linePrompt(mode, { send, value: "", label: "Search the listed screens (Enter searches, Esc cancels)" });
  return null;
}

interface Sending {
  readonly send: (message: Message) => void;
  readonly label: string;
}

function textPrompt(mode: Mode, { tui, send, label }: Sending & { readonly tui: TUI }): Prompt {
  const same = (text: string) => text;
  const selectList = { selectedPrefix: same, selectedText: same, description: same, scrollInfo: same, noMatch: same };
  const editor = new Editor(tui, { borderColor: same, selectList });
  editor.focused = true;
  return {
    mode,
    input(data) {
      if (leaves(data)) return send({ kind: "left" });
      // The library's own method trims the text.
      if (data !== "\r" || continues(editor)) return editor.handleInput(data);
      send({ kind: "entered", text: editor.getExpandedText() });
    },
    view: (columns) => ({ label, rows: editor.render(columns).slice(1, -1).map(printable) }),
  };
}

/** A backslash before Enter starts a new line, for terminals that intercept the other keys. */
function continues(editor: Editor): boolean {
  const { line, col } = editor.getCursor();
  return editor.getLines()[line]?.[col - 1] === "\\";
}

function linePrompt(mode: Mode, { send, label, value }: Sending & { readonly value: string }): Prompt {
  const input = new Input();
  input.focused = true;
  for (const character of value) input.handleInput(character);
  return {
    mode,
    input(data) {
      if (leaves(data)) return send({ kind: "left" });
      if (parseKey(data) === "enter") return send({ kind: "entered", text: input.getValue() });
      input.handleInput(data);
      send({ kind: "typed", text: input.getValue() });
    },
    view: (columns) => ({ label, rows: input.render(columns).map(printable) }),
  };
}

function leaves(data: string): boolean {
  const key = parseKey(data);
  return key === "escape" || key === "ctrl+c";
}

/** The library does not filter control characters beyond ASCII. */
function printable(row: string): string {
  return row.replace(/[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "?");
}
