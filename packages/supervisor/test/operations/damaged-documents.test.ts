import { memoryDocuments } from "@tmpm/store/memory";
import { expect, test } from "vitest";
import { launchEnvs } from "../../src/launch/launch-env.js";
import { pullRequestRegistry } from "../../src/pull-request/pull-request-registry.js";
import { uploadRegistry } from "../../src/uploads/upload-registry.js";

function fixture() {
  const reported: string[] = [];
  const damaged = [{ path: "/kept/1.json", reason: "not a document of this kind" }];
  return {
    reported,
    documents: <T>() => ({ ...memoryDocuments<T>(), all: async () => ({ documents: new Map<string, T>(), damaged }) }),
    report: ({ doing, error }: { readonly doing: string; readonly error: unknown }) => void reported.push(`${doing}: ${error}`),
  };
}

test("damaged uploads, environments and pull requests are reported once, when they are first read", async () => {
  const { documents, report, reported } = fixture();
  const uploads = uploadRegistry({ documents: documents(), report });
  const environments = launchEnvs({ documents: documents(), report });
  const pullRequests = pullRequestRegistry({ documents: documents(), report });
  for (const _ of ["first", "second"]) {
    expect(await uploads.of("s1")).toEqual([]);
    expect(await environments.of("s1")).toEqual({});
    expect(await pullRequests.of("s1")).toBeNull();
  }
  expect(reported).toEqual([
    "reading the uploads in /kept/1.json: Error: not a document of this kind",
    "reading the environment in /kept/1.json: Error: not a document of this kind",
    "reading the pull request in /kept/1.json: Error: not a document of this kind",
  ]);
});
