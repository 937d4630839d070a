import type { FastifyReply } from "fastify";

/** The requests that have no answer yet. */
export interface Unanswered {
  add(reply: FastifyReply): void;
  /** Each once, with what answers it. */
  answerAll(answer: (reply: FastifyReply) => void): void;
}

export function unanswered(): Unanswered {
  const open = new Set<FastifyReply>();
  return {
    add(reply) {
      open.add(reply);
      reply.raw.once("close", () => open.delete(reply));
    },
    answerAll(answer) {
      for (const reply of [...open]) if (!reply.sent && !reply.raw.headersSent) answer(reply);
    },
  };
}
