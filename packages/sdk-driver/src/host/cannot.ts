/** What an agent without a terminal has no way for, and what serves instead. */
export const CANNOT = {
  adopt: { why: "an agent that speaks a protocol has no terminal that could be taken over", instead: null },
  attach: { why: "there is no terminal to attach to", instead: "`tmpm capture` shows the conversation, `tmpm send` continues it." },
  keys: {
    why: "there is no terminal to press keys in",
    instead: "Say it with `tmpm send`, answer with `tmpm answer`, break off with `tmpm interrupt`.",
  },
  type: { why: "there is no terminal to type into", instead: "Say it with `tmpm send`." },
  stream: {
    why: "there is no terminal whose output could be followed",
    instead: "`tmpm events` shows what happens, `tmpm capture` shows the conversation.",
  },
  replay: {
    why: "there is no terminal that prints bytes",
    instead: "`tmpm capture` shows the conversation.",
  },
  resize: { why: "there is no terminal that has a size", instead: null },
} as const;
