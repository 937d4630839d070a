export { type Clock, systemClock } from "./clock.js";
export { DEFAULT_SETTINGS, type Ports, type Settings, type UploadLimits } from "./context.js";
export type {
  Answering,
  Conversation,
  ConversationScreen,
  ConversationUpdate,
  Prompt,
  Prompted,
  Told,
} from "./conversation.js";
export type { SessionFacts } from "./facts.js";
export type { HookFiles, HookPort } from "./hooks/hook-port.js";
export type { HookCounts } from "./hooks/refusals.js";
export {
  type Availability,
  type ByteRange,
  type Cannot,
  HOST_VERBS,
  type HostCreateSpec,
  type HostScreen,
  type HostVerb,
  type SessionHost,
} from "./host.js";
export type { Housekept } from "./housekeeping/housekeeping.js";
export type { AdoptInput } from "./operations/adopt.js";
export type { AgentFacts } from "./operations/agents.js";
export type { Answered } from "./operations/answer.js";
export type { CancelInput } from "./operations/cancel.js";
export type { CommentInput, SessionComments } from "./operations/comments.js";
export type { Count, Counts } from "./operations/counts.js";
export type { Created, CreateInput } from "./operations/create.js";
export type { Deleted, DeleteInput } from "./operations/delete.js";
export type { SessionDiff } from "./operations/diff.js";
export type { Discovered, Discovery } from "./operations/discover.js";
export type { Exported, ExportedSession } from "./operations/export.js";
export type { FanInput, FanMember, Fanned, NotStarted } from "./operations/fan.js";
export type { FinishInput, FinishOutcome } from "./operations/finish.js";
export type { Group, GroupMember } from "./operations/groups.js";
export type { Imported, ImportedDocument } from "./operations/import.js";
export type { Inbox, InboxInput } from "./operations/inbox.js";
export type { Interrupted, InterruptOutcome } from "./operations/interrupt.js";
export type { Overridden, OverrideInput } from "./operations/override.js";
export type { Paused, PauseInput } from "./operations/pause.js";
export type { LeftOut, Picked, PickInput } from "./operations/pick.js";
export type { ProjectFacts, ProjectInput } from "./operations/projects.js";
export type { AnswerQuestionInput, AskInput, QuestionInput, SessionQuestion } from "./operations/questions.js";
export type { Queue, QueuePlace } from "./operations/queue.js";
export type { CapturedScreen, ListFilter, Listing } from "./operations/read.js";
export type { SendFacts } from "./operations/receipts.js";
export type { Finding, Reconciled } from "./operations/reconcile.js";
export type { Renamed } from "./operations/rename.js";
export type { ReportInput, SessionReport } from "./operations/report.js";
export type { Restarted, RestartInput } from "./operations/restart.js";
export type { SendInput, Sent } from "./operations/send.js";
export type { SetInput } from "./operations/set.js";
export type { Stopped } from "./operations/stop.js";
export type { SubmitInput } from "./operations/submit.js";
export type { Tally } from "./operations/tally.js";
export type { Terminal, TerminalInput } from "./operations/terminal.js";
export type { Trusted, TrustInput } from "./operations/trust.js";
export type { TurnInput } from "./operations/turns.js";
export type { Uploaded, UploadInput } from "./operations/uploads.js";
export type { ModelUsage, Usage, UsageGroup } from "./operations/usage.js";
export type { WaitInput, WaitManyInput, WaitTarget } from "./operations/wait.js";
export type { Why } from "./operations/why.js";
export { requireOwner } from "./owners/require-owner.js";
export { STEPS, type Step } from "./steps.js";
export { type Supervisor, type SupervisorOptions, supervisor } from "./supervisor.js";
export { type Typing, terminalKeys } from "./terminal-keys.js";
export type { ThoughtProvider, ThoughtSink, ThoughtUpdate } from "./thoughts/thought-provider.js";
export type { TurnFacts } from "./turns/turn-facts.js";
