/** Every point at which a crash leaves different traces; tests stop the daemon at each of them. */
export const STEPS = [
  "create.intended",
  "create.opened",
  "create.confirmed",
  "create.recorded",
  "stop.intended",
  "stop.asked",
  "stop.killed",
  "stop.recorded",
  "resume.intended",
  "resume.opened",
  "resume.confirmed",
  "resume.recorded",
  "send.accepted",
  "send.pasting",
  "send.pasted",
  "send.arrived",
  "send.entering",
  "send.entered",
  "send.confirmed",
  "send.recorded",
  "remove.stopped",
  "remove.recorded",
] as const;

export type Step = (typeof STEPS)[number];
