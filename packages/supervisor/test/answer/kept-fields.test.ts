import type { KeptDecisions, UploadList } from "@tmpm/core";
import { memoryDocuments } from "@tmpm/store/memory";
import { expect, test } from "vitest";
import { NOTHING_ASKED } from "../../src/activity/asked.js";
import { decisionRegistry } from "../../src/answer/kept-decisions.js";
import { uploadRegistry } from "../../src/uploads/upload-registry.js";

const SESSION = "11111111-2222-4333-8444-555555555555";
const NEWER = { added_later: { by: "a newer version" } };

test("a list of uploads keeps the fields of a newer version when it is written again", async () => {
  const documents = memoryDocuments<UploadList>(new Map([[SESSION, { ...NEWER, uploads: [] }]]));
  const uploads = uploadRegistry({ documents, report: () => undefined });
  const upload = { ref_id: `sha256:${"0".repeat(64)}`, size_bytes: 1, filename: "a", uploaded_at: "2026-01-01T00:00:00Z", name: "a" };
  await uploads.add(SESSION, upload);
  expect(await documents.get(SESSION)).toEqual({ ...NEWER, uploads: [upload] });
  await uploads.strike(SESSION, upload.ref_id);
  expect(await documents.get(SESSION)).toEqual({ ...NEWER, uploads: [] });
});

test("a session's decisions keep the fields of a newer version when they are written again", async () => {
  const kept: KeptDecisions = { schema_version: 1, open: null, heard_at: null, answering: null, closed: [] };
  const documents = memoryDocuments<KeptDecisions>(new Map([[SESSION, { ...kept, ...NEWER }]]));
  const decisions = decisionRegistry({ documents, report: () => undefined });
  await decisions.load();
  decisions.keep(SESSION, { ...NOTHING_ASKED, answering: "yes" });
  await decisions.drained();
  expect(await documents.get(SESSION)).toEqual({ ...kept, ...NEWER, answering: "yes" });
  decisions.keep(SESSION, NOTHING_ASKED);
  await decisions.drained();
  expect(await documents.get(SESSION)).toBeNull();
});
