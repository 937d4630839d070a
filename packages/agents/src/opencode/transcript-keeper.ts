/** Maximum number of conversations kept for a session. */
const CONVERSATIONS = 10;
const MAX_TEXT = 65_536;
const MAX_PROMPT = 8_192;
const EXCHANGES = 5;

/**
 * The recording part of the plugin: for each conversation a small document, `opencode-<id>.json` with the fields of a transcript, replaced
 * atomically. OpenCode's own store is a database. Sub-agents have separate conversations with a parent, and are skipped.
 */
export function opencodeTranscriptKeeper(): string {
  return `
const kept = new Map();
const children = new Set();
const answers = new Map();
const EMPTY = { prompt: null, message: null, reply: null, model: null, tokens: 0, contextLimit: 0, prompts: 0, exchanges: [] };

function quietly(work) {
  try {
    work();
  } catch {
    // A full disk must not stop OpenCode.
  }
}

function pathOf(conversation) {
  return join(folder, "opencode-" + conversation + ".json");
}

function transcriptOf(conversation) {
  if (!kept.has(conversation)) kept.set(conversation, before(conversation));
  return kept.get(conversation);
}

function before(conversation) {
  try {
    return { ...EMPTY, ...JSON.parse(readFileSync(pathOf(conversation), "utf8")) };
  } catch {
    makeRoom();
    return EMPTY;
  }
}

function makeRoom() {
  const names = readdirSync(folder).filter((name) => /^opencode-ses_\\w+\\.json$/.test(name));
  const aged = names.map((name) => [statSync(join(folder, name)).mtimeMs, name]).sort((a, b) => b[0] - a[0]);
  for (const [, name] of aged.slice(${CONVERSATIONS - 1})) rmSync(join(folder, name), { force: true });
}

function change(conversation, changes) {
  if (typeof conversation !== "string" || !/^ses_\\w+$/.test(conversation) || children.has(conversation)) return;
  const next = { ...transcriptOf(conversation), ...changes };
  kept.set(conversation, next);
  const temporary = join(folder, ".opencode-" + process.pid);
  writeFileSync(temporary, JSON.stringify(next), { mode: 0o600 });
  renameSync(temporary, pathOf(conversation));
}

function words(text) {
  return text.slice(0, ${MAX_TEXT});
}

function answered(conversation, asked, changes) {
  if (typeof conversation !== "string") return;
  const { exchanges } = transcriptOf(conversation);
  const known = exchanges.findLastIndex(({ id }) => id === asked);
  if (known >= 0) change(conversation, { exchanges: exchanges.map((each, index) => (index === known ? { ...each, ...changes } : each)) });
}

function failed(conversation, asked, error) {
  if (!error || error.name === "MessageAbortedError") return;
  answered(conversation, asked, { error: words(String(error.data?.message || error.name || "an error")) });
}

function failedUnanswered({ sessionID, error }) {
  if (!kept.has(sessionID)) return;
  const last = kept.get(sessionID).exchanges.at(-1);
  if (last !== undefined && answers.get(sessionID)?.parentID !== last.id) failed(sessionID, last.id, error);
}

function hear({ type, properties }) {
  const info = properties?.info;
  if (type === "session.created" || type === "session.updated") {
    if (info?.parentID) children.add(info.id);
  } else if (type === "session.error") {
    failedUnanswered(properties);
  } else if (type === "message.updated" && info?.role === "assistant") {
    answers.set(info.sessionID, info);
    failed(info.sessionID, info.parentID, info.error);
    if (info.time?.completed) (used(info), change(info.sessionID, counted(info)));
  } else if (type === "message.part.updated") {
    const part = properties.part;
    const answer = answers.get(part?.sessionID);
    const isAnswer = part?.type === "text" && !part.synthetic && part.time?.end && answer?.id === part.messageID;
    if (!isAnswer || !part.text?.trim()) return;
    change(part.sessionID, { message: words(part.text), reply: words(part.text) });
    answered(part.sessionID, answer.parentID, { reply: words(part.text), error: null });
  }
}

function counted({ tokens, modelID }) {
  const counts = [tokens?.input, tokens?.output, tokens?.reasoning, tokens?.cache?.read, tokens?.cache?.write];
  const sum = counts.reduce((total, count) => total + (count ?? 0), 0);
  return { ...(sum > 0 ? { tokens: sum } : {}), ...(modelID ? { model: modelID } : {}) };
}

/** The user's text; null for a message without any. */
function ownText(output) {
  const parts = (output?.parts ?? []).filter(({ type, synthetic, ignored }) => type === "text" && !synthetic && !ignored);
  return parts.length === 0 ? null : parts.map(({ text }) => text).join("\\n");
}

function prompted({ sessionID, model }, output) {
  const own = ownText(output);
  if (own === null) return;
  const before = transcriptOf(sessionID);
  const prompts = before.prompts + 1;
  const prompt = words(own);
  const begun = { id: output.message?.id, prompt: prompt.slice(0, ${MAX_PROMPT}), reply: null, error: null, atMs: Date.now() };
  const exchanges = [...before.exchanges, begun].slice(-${EXCHANGES});
  change(sessionID, { prompt, reply: null, prompts, exchanges, ...(model?.modelID ? { model: model.modelID } : {}) });
}

/** Titles are generated by another agent, possibly with another model. */
function measured({ sessionID, agent, message, model }) {
  const name = typeof agent === "string" ? agent : agent?.name;
  const limit = model?.limit?.context;
  if (name === message?.agent && limit > 0 && transcriptOf(sessionID).contextLimit !== limit) change(sessionID, { contextLimit: limit });
}
`;
}
