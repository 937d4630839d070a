import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { later } from "../../daemon/timers.js";
import { steadiness } from "../../state/steadiness.js";

/** Ignores presses for a moment after its content has appeared or moved: they were meant for what was there before. Keys press what has the focus. */
export function Steady({ children }: { readonly children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  const [isSteady, setSteady] = useState(false);
  const watched = useRef(steadiness({ later, onChange: setSteady }));
  useLayoutEffect(() => {
    const { current } = place;
    if (current !== null) watched.current.placed(`${current.offsetTop} ${current.offsetLeft} ${current.offsetHeight}`);
  });
  useLayoutEffect(() => () => watched.current.stop(), []);
  return (
    <div
      ref={place}
      role="presentation"
      aria-disabled={isSteady ? undefined : "true"}
      onClickCapture={(event) => {
        const isByKey = event.detail === 0;
        if (isSteady || isByKey) return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {children}
    </div>
  );
}
