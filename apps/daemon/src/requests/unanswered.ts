import type { FastifyReply } from "fastify";

/** The requests without a response yet. */
export interface Unanswered {
  /** Returns a function to call when it ends. */
  add(reply: FastifyReply): () => void;
  /** Each request once, with its function to respond. */
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
