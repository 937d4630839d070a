/** A value, the end or the error of a source. */
type Happening<T> =
  | { readonly kind: "value"; readonly source: AsyncGenerator<T>; readonly value: T }
  | { readonly kind: "ended" }
  | { readonly kind: "failed"; readonly error: unknown };

/** Merges the values of several generators, in order of arrival. Leaving the loop leaves all of them; an error of one ends all. */
export async function* merged<T>(sources: readonly AsyncGenerator<T>[]): AsyncGenerator<T> {
  const happenings: Happening<T>[] = [];
  let wake: () => void = () => undefined;
  const happened = (happening: Happening<T>) => {
    happenings.push(happening);
    wake();
  };
  const ask = (source: AsyncGenerator<T>) =>
    void source.next().then(
      ({ done, value }) => happened(done === true ? { kind: "ended" } : { kind: "value", source, value }),
      (error: unknown) => happened({ kind: "failed", error }),
    );
  // A race of the pending promises would add a reaction to each of them for every value.
  const woken = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  let open = sources.length;
  for (const source of sources) ask(source);
  try {
    while (open > 0) {
      const happening = happenings.shift();
      if (happening === undefined) await woken();
      else if (happening.kind === "failed") throw happening.error;
      else if (happening.kind === "ended") open -= 1;
      else {
        ask(happening.source);
        yield happening.value;
      }
    }
  } finally {
    // A generator that waits for its next value ends when it has it, or is aborted.
    for (const source of sources) source.return(undefined).catch(() => undefined);
  }
}
