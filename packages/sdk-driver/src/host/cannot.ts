/** Verbs that an agent without a terminal does not support, and the alternatives. */
export const CANNOT = {
  adopt: { why: "an agent that speaks a protocol has no terminal to take over", instead: null },
  attach: { why: "there is no terminal to attach to", instead: "`tmpm capture` shows the conversation, `tmpm send` continues it." },
  keys: {
    why: "there is no terminal to press keys in",
    instead: "Use `tmpm send` to prompt, `tmpm answer` to answer, `tmpm interrupt` to interrupt.",
  },
  type: { why: "there is no terminal to type into", instead: "Use `tmpm send`." },
  stream: {
    why: "there is no terminal output to follow",
    instead: "`tmpm events` shows events, `tmpm capture` the conversation.",
  },
  replay: {
    why: "there is no terminal with a byte stream",
    instead: "`tmpm capture` shows the conversation.",
  },
  resize: { why: "there is no terminal to resize", instead: null },
} as const;
