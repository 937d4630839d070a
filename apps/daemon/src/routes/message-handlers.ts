import type { AskedAnswer, ReportAnswer } from "@tmpm/api";
import type { SessionQuestion, SessionReport, Supervisor } from "@tmpm/supervisor";
import type { Handlers } from "./handlers.js";

type Names = "ask" | "question" | "answerQuestion" | "withdrawQuestion" | "report" | "inbox";

/** Questions and reports of sessions. */
export function messageHandlers(supervisor: Supervisor): Pick<Handlers, Names> {
  return {
    ask: async (input) => askedAnswer(await supervisor.ask(input)),
    question: async (input, { signal, actor, received }) => askedAnswer(await supervisor.question({ ...input, signal, actor, received })),
    answerQuestion: async (input, { actor }) => askedAnswer(await supervisor.answerQuestion({ ...input, actor })),
    withdrawQuestion: async (input) => askedAnswer(await supervisor.withdrawQuestion(input)),
    report: async (input) => reportAnswer(await supervisor.report(input)),
    inbox: async (input, { actor }) => {
      const { questions, reports } = await supervisor.inbox({ ...input, actor });
      return { questions: questions.map(askedAnswer), reports: reports.map(reportAnswer), next: null };
    },
  };
}

function askedAnswer({ record, question }: SessionQuestion): AskedAnswer {
  return { ...question, session: record.name };
}

function reportAnswer({ record, report }: SessionReport): ReportAnswer {
  return { ...report, session: record.name };
}
