import type { FastifyReply } from "fastify";

/** The requests without an answer yet. */
export interface Unanswered {
  /** Returns what to call when it is over. */
  add(reply: FastifyReply): () => void;
  /** Each request once, with its answer function. */
  answerAll(answer: (reply: FastifyReply) => void): void;
}

export function unanswered(): Unanswered {
  const open = new Set<FastifyReply>();
  return {
    add(reply) {
      open.add(reply);
      return () => open.delete(reply);
    },
    answerAll(answer) {
      for (const reply of [...open]) if (!reply.sent && !reply.raw.headersSent) answer(reply);
    },
  };
}
