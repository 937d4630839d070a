/**
 * The tests that start processes: a real tmux, PTYs, git, shells, the built programs. All others are logic tests, which start none, as enforced by
 * `scripts/logic-setup.mjs`. By folder, without `.test.ts`.
 */
const IN_PACKAGES = {
  "apps/cli/test":
    "completion/completion-in-shells commands/config contract/narrow daemon/daemon doctor/doctor fleet/nodes-install man/man commands/overrides-and-uploads daemon/process-alive service/service terminal/web",
  "apps/daemon/test":
    "server/api-doc lifecycle/compiled-code doctor/agents doctor/tmux agents/hook-files fuzz/fuzz hosts/host-contract hosts/keys hosts/sdk-contract hosts/sdk-sessions listen/listen mcp/conformance notify/notify push/delivered streams/kept-output streams/real-terminal",
  "apps/web/test":
    "access asked budget composing functions other-machines page pictures proxy queries security session-views tabs terminal",
  examples: "examples",
  "packages/agents/test": "agent-processes claude echo-real hooks launch opencode-transcript program-version",
  "packages/api/test": "browser",
  "packages/core/test": "browser readme",
  "packages/fleet/test": "nats",
  "packages/holder/test": "holder",
  "packages/processes/test": "processes",
  "packages/pty-driver/test": "pty readme",
  "packages/sdk-driver/test": "sdk-host talk turn-usage",
  "packages/store/test":
    "bad-files daemon-lock foreign-read journal-processes owner-lock process-identity processes read-zeroclaw single-file-processes single-file system-faults trusty-overwrites",
  "packages/supervisor/test":
    "delivery/exact-delivery observe/exit operations/failpoints finish/finish-half groups/groups operations/lifecycle operations/many-sessions observe/observed pull-request/pull-request workspace/reactivate-trashed workspace/set-up workspace/set-up-more finish/review observe/side-by-side hooks/protocol launch/moved-directories pull-request/real-gh operations/terminals turns/turn-trees turns/turns-many finish/undo-half usage/usage-killed workspace/work-kept workspace/workspace",
  "packages/tmux-driver/test":
    "arrivals attach concurrent contract control-ghosts control-link environment exact-text failure hostile kill launch-file output prove-utf8 readme-code server-death server-events server-scope stopped-server supervised-client synchronized system-faults torture/hostile torture/senders torture/server-points torture/targets torture/texts version-skew",
  "packages/workspace/test":
    "choose-branch describe-directory diff fetch-base finish finish-matrix finish-programs forge-address git gone half-updated hostile-layouts hostile-repository hostile-source in-the-way layouts machine main-tree make-workspace patch-applied rebooted repo-themes run-program set-up trash turn-trees unsaved-work uploads",
};

/** As file patterns. All of `test` and `scripts` run the build, or other programs. */
export const MACHINE = [
  ...Object.entries(IN_PACKAGES).flatMap(([folder, names]) => names.split(" ").map((name) => `${folder}/${name}.test.ts`)),
  "test/**/*.test.ts",
  "scripts/**/*.test.mjs",
];
