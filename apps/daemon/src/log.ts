import { pino } from "pino";

export type Log = ReturnType<typeof daemonLog>;

/** JSON lines on standard output, which whoever started the daemon directs to a file. */
export function daemonLog() {
  return pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ dest: 1, sync: true }));
}
