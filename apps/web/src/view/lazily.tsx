import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A lazily loaded part of the page, rendered immediately after the first time. */
export function lazily<P extends object>(load: () => Promise<FunctionComponent<P>>, noun: string): FunctionComponent<P> {
  let loaded: FunctionComponent<P> | null = null;
  return (props: P) => {
    const [View, setView] = useState<FunctionComponent<P> | null>(() => loaded);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (View !== null) return;
      load().then(
        (view) => {
          loaded = view;
          setView(() => view);
        },
        () => setFailed(true),
      );
    }, [View]);
    if (View !== null) return <View {...props} />;
    return <p class="loading soft">{failed ? `The ${noun} could not be loaded. Reload the page.` : `Loading the ${noun}…`}</p>;
  };
}
