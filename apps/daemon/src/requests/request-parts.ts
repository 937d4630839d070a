import type { FastifyRequest } from "fastify";

/** The first resource in the path. */
export function targetOf({ params }: FastifyRequest): string | null {
  const [first] = typeof params === "object" && params !== null ? Object.values(params) : [];
  return typeof first === "string" ? first : null;
}

export function sessionOf({ params }: FastifyRequest): string | null {
  const named = typeof params === "object" && params !== null && "session" in params ? params.session : null;
  return typeof named === "string" ? named : null;
}

export function acceptsStream({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes("text/event-stream") === true;
}

export function lastEventIdOf({ headers }: FastifyRequest): string | null {
  const value = headers["last-event-id"];
  return typeof value === "string" && value !== "" ? value : null;
}

export function tokenOf({ headers }: FastifyRequest): string | null {
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? null;
}

/** The sessions that a parsed request refers to. */
export function sessionsIn({ session, sessions }: Readonly<Record<string, unknown>>): readonly string[] {
  return [session, ...(Array.isArray(sessions) ? sessions : [])].filter((named) => typeof named === "string");
}

type Input = Readonly<Record<string, unknown>>;

/** The request with these sessions in place of those of `sessionsIn`, in their order. */
export function withSessions(input: Input, ids: readonly string[]): Input {
  const { session, sessions } = input;
  const [first] = ids;
  const one = typeof session === "string" && first !== undefined ? { session: first } : {};
  const rest = typeof session === "string" ? ids.slice(1) : ids;
  return { ...input, ...one, ...(Array.isArray(sessions) ? { sessions: rest } : {}) };
}
