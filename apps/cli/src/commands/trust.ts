import type { TrustAnswer } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import { command } from "../command.js";
import { repositoryAddress } from "../repository-address.js";

export const trust = command({
  name: "trust",
  summary: "Agree to what a repository's .tmpm.yaml says now, or take that back",
  more: `The file says what new workspaces of the repository need: files to copy or link, and lines to run. Nothing of it is done until somebody agrees to its
content, and nothing again once that has changed. See docs/workspaces.md.

  tmpm trust                 agree to the file of this repository, and see what it says
  tmpm trust ~/src/api
  tmpm trust --revoke        take back every consent to it`,
  args: { directory: { takes: "optional", label: "DIR|URL", summary: "What workspaces are made from; this directory when not given" } },
  options: { revoke: { takes: "flag", summary: "Take every consent back" } },
  async run({ directory = ".", revoke }, context): Promise<TrustAnswer> {
    return context.client().trust({ path: repositoryAddress(directory), trusted: !revoke });
  },
  render({ source, setup }) {
    if (setup === null) return `nothing that ${visibleText(source)} says is done any more`;
    const lines = (["copy", "link", "run"] as const).flatMap((verb) => setup[verb].map((what) => `  ${verb}  ${visibleText(what)}`));
    return [`from now on this is done in new workspaces of ${visibleText(source)}, until its .tmpm.yaml changes:`, ...lines].join("\n");
  },
});
