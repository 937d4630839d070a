import { command } from "../command.js";
import { SCRIPTS } from "../completion/scripts.js";

const SHELLS = ["bash", "zsh", "fish"] as const;

export const completion = command({
  name: "completion",
  summary: "Print what makes a shell complete tmpm's command lines",
  more: `With it the tab key completes verbs, options, states, and the names of sessions, agents and projects as they are now. It asks a daemon that runs, and
never starts one. For all shells to come, write it where the shell looks, or in bash put this into ~/.bashrc: source <(tmpm completion bash)

  tmpm completion bash > ~/.local/share/bash-completion/completions/tmpm
  tmpm completion zsh > ~/.zfunc/_tmpm                                     with fpath=(~/.zfunc $fpath) before compinit in ~/.zshrc
  tmpm completion fish > ~/.config/fish/completions/tmpm.fish`,
  args: { shell: { takes: "one", label: "SHELL", summary: "bash, zsh or fish", choices: SHELLS } },
  options: {},
  async run({ shell }) {
    return { shell, script: SCRIPTS[shell] };
  },
  render: ({ script }) => script.trimEnd(),
  verbatim: () => true,
});
