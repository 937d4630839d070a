import type { FakeProgram } from "@tmpm/tmux-driver/fake";

const SHOWN: Readonly<Record<string, string>> = { ask: "allow it?", limit: "limit reached, stop?", "limit twice": "limit reached, stop?" };

/**
 * An agent whose prompts define its behaviour: `work MS`, `for ever`, `deaf` (indefinitely, and no key ends it), `ask` (a dialog, which `y`
 * or `n` answers), `fail` (an error), `limit` (a dialog of a usage limit, which `s` stops), `limit twice` (the second `s` does), `exit` (it
 * ends). Escape ends its work. Each accepted prompt is reported.
 */
export function turnProgram(taken: (prompt: string) => void): FakeProgram {
  return (terminal) => {
    let draft = "";
    let task: string | null = null;
    let count = 0;
    const draw = (line: string) => terminal.write(`\n${line}`);
    const rest = (line = "> ") => {
      task = null;
      draft = "";
      draw(line);
    };
    function begin(prompt: string): void {
      taken(prompt);
      task = prompt;
      draft = "";
      const own = ++count;
      const later = (ms: number, act: () => void) => terminal.after(ms, () => own === count && task !== null && act());
      draw(SHOWN[prompt] ?? "working");
      const [, ms] = /^work (\d+)/.exec(prompt) ?? [];
      if (ms !== undefined) later(Number(ms), rest);
      if (prompt === "fail") later(300, () => rest("error> "));
      if (prompt === "exit") later(300, () => terminal.exit({ status: 3 }));
    }
    draw("> ");
    const [, first] = terminal.argv;
    if (first !== undefined && first !== "nothing") begin(first);
    return {
      input(text) {
        if (task === "ask") {
          if (text === "y") {
            task = "work";
            draw("working");
            const own = ++count;
            terminal.after(500, () => own === count && rest());
          } else if (text === "n" || text === "\u001b") rest();
          return;
        }
        if (task === "limit twice") {
          if (text === "s") task = "limit";
          return;
        }
        if (task === "limit") {
          if (text === "s") rest();
          return;
        }
        if (text === "\u001b") {
          if (task !== null && task !== "deaf") rest();
          return;
        }
        if (text === "\r") {
          if (draft !== "" && task === null) begin(draft);
          return;
        }
        if (task !== null) return;
        draft += text;
        draw(`> ${draft}`);
      },
    };
  };
}
