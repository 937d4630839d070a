import { memoryJournal } from "@tmpm/store/memory";
import { newsId } from "@tmpm/supervisor";
import { expect, test } from "vitest";
import { pullRequestPorts } from "../src/pull-request-ports.js";

const at = "2026-11-28T10:00:00Z";
const A = "00000000-0000-4000-8000-00000000000a";
const B = "00000000-0000-4000-8000-00000000000b";
const news = {
  ...{ type: "pull_request_news" as const, at, session_id: A, number: 7, item: "c1", version: "v1", kind: "comment" as const },
  ...{ author: "ada", url: "https://example.org/pull/7", title: "Why?", edited: false, asks: true },
} as const;

test("news in the journal are known from the start, until their session is deleted", async () => {
  const journal = memoryJournal();
  await journal.append(news);
  const { newsWritten } = pullRequestPorts({ env: {}, journal });
  const later = { ...news, session_id: B, item: "c2" };
  expect([...(await newsWritten())]).toEqual([newsId(news)]);
  await journal.append(later);
  expect([...(await newsWritten())]).toEqual([newsId(news), newsId(later)]);
  await journal.append({ at, session_id: A, type: "session_deleted", tmux_session_alive: null });
  expect([...(await newsWritten())]).toEqual([newsId(later)]);
});
