import type { FakeProgram } from "@tmpm/tmux-driver/fake";

export interface ComposerBehaviour {
  /** Number of Enters that are swallowed before one counts. */
  readonly lostEnters?: number;
  /** Shows a dialog first, until Enter. */
  readonly dialog?: boolean;
  /** Never shows the typed text. */
  readonly blind?: boolean;
}

/** An agent with an input line of its own: `> text`, `working` after Enter, `dialog` while it asks. */
export function composerProgram(behaviour: ComposerBehaviour): FakeProgram {
  return (terminal) => {
    let draft = "";
    let lost = behaviour.lostEnters ?? 0;
    let dialog = behaviour.dialog ?? false;
    const draw = (line: string) => terminal.write(`\n${line}`);
    draw(dialog ? "dialog" : "> ");
    return {
      input(text) {
        if (dialog && text === "\r") dialog = false;
        else if (text === "\r" && lost > 0) lost -= 1;
        else if (text === "\r" && draft !== "") {
          draft = "";
          draw("working");
          terminal.after(1_000, () => draw("> "));
          return;
        } else if (text !== "\r") draft += text;
        draw(`> ${behaviour.blind ? "" : draft}`);
      },
    };
  };
}
