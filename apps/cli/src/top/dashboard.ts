import type { Context } from "../context.js";
import { terminalView } from "../render/terminal-view.js";
import { cells } from "./cells.js";
import type { Message } from "./message.js";
import { isMouse } from "./mouse.js";
import { type Prompt, promptOf } from "./prompt.js";
import { readKey } from "./read-key.js";
import { initialState, type Size } from "./state.js";
import type { Step } from "./step.js";
import { type TUI, truncateToWidth, visibleWidth } from "./terminal-ui.js";
import { update } from "./update.js";
import { frame } from "./view/frame.js";

export interface DashboardOptions {
  readonly env: Context["env"];
  readonly size: Size;
  /** The receiver of keys. */
  readonly send: (message: Message) => void;
}

export interface Dashboard {
  /** Updates the state by a message. */
  hear(message: Message): Step;
}

/** The state, drawn on the terminal whenever it changes; key events are returned as messages. */
export function dashboard(tui: TUI, { env, size, send }: DashboardOptions): Dashboard {
  const { colour, unicode } = terminalView(env, size.columns);
  const view = { cells: cells({ unicode }), painting: { colour }, unicode, userHome: env.HOME ?? null };
  let state = initialState(size, Date.now());
  let prompt: Prompt | null = null;
  const component = {
    render: (columns: number) => frame(state, { ...view, prompt: prompt?.view(columns) ?? null }).map((row) => fitting(row, columns)),
    handleInput(data: string) {
      if (prompt !== null && !isMouse(data)) return prompt.input(data);
      const message = readKey(data, state);
      if (message !== null) send(message);
    },
    invalidate: () => undefined,
  };
  tui.addChild(component);
  tui.setFocus(component);
  return {
    hear(message) {
      const step = update({ ...state, now: Date.now() }, message);
      if (step.state.mode !== state.mode) prompt = promptOf(step.state.mode, { tui, filter: step.state.filter, send });
      state = step.state;
      tui.requestRender();
      return step;
    },
  };
}

/** If a row is too wide, the library ends the process and writes all rows to a file in the home folder. */
function fitting(row: string, columns: number): string {
  return visibleWidth(row) <= columns ? row : truncateToWidth(row, columns, "");
}
