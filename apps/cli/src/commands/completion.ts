import { command } from "../command.js";
import { SCRIPTS } from "../completion/scripts.js";
import { objectOf, TEXT } from "../printed.js";

const SHELLS = ["bash", "zsh", "fish"] as const;

export const completion = command({
  name: "completion",
  group: "Set up tmpm",
  summary: "Print a completion script for a shell",
  more: `Completes verbs, options, states, and the current names of sessions, agents and projects. It queries a running daemon and never starts one. Install it where the shell looks for completions, or add this line to ~/.bashrc: source <(tmpm completion bash)

  tmpm completion bash > ~/.local/share/bash-completion/completions/tmpm
  tmpm completion zsh > ~/.zfunc/_tmpm                                     with fpath=(~/.zfunc $fpath) before compinit in ~/.zshrc
  tmpm completion fish > ~/.config/fish/completions/tmpm.fish`,
  args: { shell: { takes: "one", label: "SHELL", summary: "bash, zsh or fish", choices: SHELLS } },
  options: {},
  printed: { forms: [objectOf({ shell: TEXT, script: TEXT })] },
  async run({ shell }) {
    return { shell, script: SCRIPTS[shell] };
  },
  render: ({ script }) => script.trimEnd(),
  verbatim: () => true,
});
