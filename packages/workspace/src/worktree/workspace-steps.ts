/** Every point between two effects on the disk, where a crash leaves different traces. */
export const WORKSPACE_STEPS = [
  "workspace.reserved",
  "workspace.added",
  "workspace.marked",
  "workspace.filled",
  "workspace.listed",
  "workspace.detached",
  "workspace.moved",
  "workspace.registered",
  "workspace.trashed",
  "workspace.restoring",
  "workspace.returned",
  "workspace.attached",
  "workspace.emptied",
  "workspace.target_moved",
] as const;

export type WorkspaceStep = (typeof WORKSPACE_STEPS)[number];
