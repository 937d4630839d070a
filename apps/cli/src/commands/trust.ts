import type { TrustAnswer } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import { command } from "../command.js";
import { repositoryAddress } from "../input/repository-address.js";

export const trust = command({
  name: "trust",
  group: "Set up tmpm",
  summary: "Consent to a repository's .tmpm.yaml, or revoke consent",
  more: `The file lists what new workspaces of the repository need: files to copy or link, and lines to run. None of it runs until you consent to its content; a change requires new consent. See docs/workspaces.md.

  tmpm trust                 show this repository's file and consent to it
  tmpm trust ~/src/api
  tmpm trust --revoke        revoke every consent to it`,
  args: {
    directory: {
      takes: "optional",
      label: "DIR|URL",
      summary: "Repository that workspaces are made from (default: the current directory)",
    },
  },
  options: { revoke: { takes: "flag", summary: "Revoke every consent" } },
  async run({ directory = ".", revoke }, context): Promise<TrustAnswer> {
    return context.client().trust({ path: await repositoryAddress(directory, context), trusted: !revoke });
  },
  render({ source, setup }) {
    if (setup === null) return `consent to ${visibleText(source)} is revoked: none of it runs`;
    const lines = (["copy", "link", "run", "teardown"] as const).flatMap((verb) =>
      setup[verb].map((what) => `  ${verb}  ${visibleText(what)}`),
    );
    return [`this runs in new workspaces of ${visibleText(source)} until its .tmpm.yaml changes:`, ...lines].join("\n");
  },
});
