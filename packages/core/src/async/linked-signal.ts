export interface LinkedSignal {
  /** Aborted when the first of the sources is, with its reason. */
  readonly signal: AbortSignal;
  /** Detaches from the sources. Call it when the work has ended: a source that outlives it would keep it in memory. */
  release(): void;
}

/** A signal for one piece of work. `AbortSignal.any` cannot detach: a long-lived source keeps every signal derived from it. */
export function linkedSignal(...sources: readonly AbortSignal[]): LinkedSignal {
  const controller = new AbortController();
  const release = () => {
    for (const source of sources) source.removeEventListener("abort", abort);
  };
  const abort = () => {
    release();
    controller.abort(sources.find(({ aborted }) => aborted)?.reason);
  };
  for (const source of sources) source.addEventListener("abort", abort, { once: true });
  if (sources.some(({ aborted }) => aborted)) abort();
  return { signal: controller.signal, release };
}
