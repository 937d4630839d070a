import type { UploadsAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { usageError } from "../parse/usage-error.js";
import type { Cell } from "../render/cell.js";
import { table } from "../render/table.js";
import { SESSION } from "./shared-arguments.js";

export const uploads = command({
  name: "uploads",
  group: "Send prompts and answers",
  summary: "List or remove a session's uploaded files",
  more: `\`tmpm send SESSION --attach FILE\` uploads a file.

  tmpm uploads demo
  tmpm uploads demo 9f86d081
  tmpm uploads demo --rm 9f86d081`,
  args: {
    session: SESSION,
    upload: { takes: "optional", label: "DIGEST", summary: "Only the file with this digest or unambiguous prefix" },
  },
  options: {
    rm: {
      takes: "text",
      label: "DIGEST",
      summary: "Remove the file with this digest or unambiguous prefix",
      completes: { kind: "uploads" },
    },
  },
  async run({ session, upload, rm }, context): Promise<UploadsAnswer> {
    if (rm !== undefined && upload !== undefined) throw usageError("--rm does not accept another file", "Give one of them.");
    const client = context.client();
    if (rm !== undefined) return { uploads: [await client.discardUpload({ session, upload: rm })], next: null };
    if (upload !== undefined) return { uploads: [await client.oneUpload({ session, upload })], next: null };
    return client.uploads({ session });
  },
  render: ({ uploads: list }, view) =>
    list.length === 0 ? "" : table({ head: ["DIGEST", "BYTES", "NAME", "FILE"], rows: list.map(row), spare: [1] }, view),
  notes: ({ uploads: list }) => (list.length === 0 ? ["no files were uploaded"] : []),
});

function row({ ref_id, size_bytes, filename, workspace_path }: UploadsAnswer["uploads"][number]): readonly Cell[] {
  return [ref_id.slice(7, 19), String(size_bytes), filename, { text: workspace_path, keeps: "end" }];
}
