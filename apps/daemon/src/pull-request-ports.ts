import type { EventJournal, JournalEntry } from "@tmpm/store";
import { newsId, type Ports } from "@tmpm/supervisor";
import { ghForge } from "@tmpm/workspace";

const PAGE = 1_000;
const ASK_MS = 60_000;

/** Queries pull requests, and knows which of their news are in the journal. */
export function pullRequestPorts(of: {
  readonly env: NodeJS.ProcessEnv;
  readonly journal: EventJournal;
}): Pick<Ports, "forge" | "newsWritten"> {
  return { forge: ghForge({ env: of.env, timeoutMs: ASK_MS }), newsWritten: pullRequestNews(of.journal) };
}

/** The news of pull requests in a journal. Read on first use, and followed from then on; forgotten with its session. */
function pullRequestNews(journal: EventJournal): () => Promise<ReadonlySet<string>> {
  const written = new Set<string>();
  const take = (entry: JournalEntry) => {
    if (entry.kind !== "event") return;
    const { event } = entry;
    if (event.type === "pull_request_news") written.add(newsId(event));
    if (event.type === "session_deleted") for (const id of written) if (id.startsWith(`${event.session_id} `)) written.delete(id);
  };
  let followed = false;
  async function readAll(): Promise<ReadonlySet<string>> {
    if (!followed) journal.follow(take);
    followed = true;
    for (let after = 0; ; ) {
      const page = await journal.read({ after, limit: PAGE });
      if (page.kind === "behind") {
        if (page.oldest <= after) return written;
        after = page.oldest;
        continue;
      }
      page.entries.forEach(take);
      const last = page.entries.at(-1);
      if (last === undefined) return written;
      after = last.seq;
    }
  }
  let reading: Promise<ReadonlySet<string>> | null = null;
  return () => {
    reading ??= readAll().catch((error: unknown) => {
      reading = null;
      throw error;
    });
    return reading;
  };
}
