export { type Talk, type TalkOptions, talk } from "./agent/talk.js";
export { afterEvent } from "./conversation/after-event.js";
export { ConversationEvent, NumberedEvent } from "./conversation/event.js";
export { type ConversationReading, readingOf } from "./conversation/reading.js";
export { ConversationState, NO_CONVERSATION } from "./conversation/state.js";
export { type SdkHost, type SdkHostOptions, sdkHost } from "./host/sdk-host.js";
export { EMPTY_TRANSCRIPT, Transcript } from "./transcript/transcript.js";
export { transcriptLines } from "./transcript/transcript-lines.js";
