import { useEffect, useState } from "preact/hooks";
import { keepTrying } from "../daemon/keep-trying.js";
import { sleep } from "../daemon/timers.js";
import { login } from "../state/me.js";
import { failureText } from "../words/failure-words.js";

export interface Loaded<T> {
  /** Null until the request is answered. */
  readonly answer: T | null;
  /** Why the last try failed; null after a success. */
  readonly failure: string | null;
}

/** The answer to a request that is made once, and repeated until it succeeds. */
export function useLoaded<T>(request: () => Promise<T>): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ answer: null, failure: null });
  useEffect(() => {
    let isLeft = false;
    const attempt = async () => {
      try {
        return await request();
      } catch (error) {
        if (!isLeft) setLoaded({ answer: null, failure: failureText(error) });
        throw error;
      }
    };
    const isWanted = () => !isLeft && login.value.kind !== "logged_out";
    void keepTrying(attempt, { isWanted, pause: sleep }).then((answer) => {
      if (!isLeft && answer !== null) setLoaded({ answer, failure: null });
    });
    return () => {
      isLeft = true;
    };
  }, []);
  return loaded;
}
