import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** A row of known height. */
export interface Placed {
  readonly key: string;
  readonly height: number;
  readonly content: () => JSX.Element;
}

interface Window {
  readonly first: number;
  readonly end: number;
  /** Pixels above the first rendered row, and below the last. */
  readonly above: number;
  readonly below: number;
}

/** Up to this number, all rows are rendered. */
const ALL = 100;
/** Pixels rendered beyond the viewport, so that scrolling does not show gaps. */
const BEYOND = 600;

/** The rows between two offsets. */
export function windowOf(heights: readonly number[], { from, to }: { readonly from: number; readonly to: number }): Window {
  let [first, end, above, at] = [0, 0, 0, 0];
  for (const [index, height] of heights.entries()) {
    if (at + height < from) [first, above] = [index + 1, at + height];
    if (at <= to) end = index + 1;
    at += height;
  }
  const drawn = heights.slice(first, end).reduce((sum, height) => sum + height, 0);
  return { first, end, above, below: at - above - drawn };
}

/** A scrolling list that renders only its visible rows. */
export function VirtualRows({ rows }: { readonly rows: readonly Placed[] }) {
  const box = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ top: 0, height: 800 });
  const look = () => {
    const { current } = box;
    if (current === null) return;
    // In steps, so that scrolling does not re-render at every pixel.
    const top = Math.floor(current.scrollTop / 200) * 200;
    setSeen((last) => (last.top === top && last.height === current.clientHeight ? last : { top, height: current.clientHeight }));
  };
  useLayoutEffect(() => {
    look();
    const observer = new ResizeObserver(look);
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const heights = rows.map(({ height }) => height);
  const all = { first: 0, end: rows.length, above: 0, below: 0 };
  const { first, end, above, below } =
    rows.length <= ALL ? all : windowOf(heights, { from: seen.top - BEYOND, to: seen.top + seen.height + 200 + BEYOND });
  return (
    <div class="rows" ref={box} onScroll={look}>
      <div style={{ height: `${above}px` }} />
      {rows.slice(first, end).map(({ key, height, content }) => (
        <div key={key} class="place" style={{ height: `${height}px` }}>
          {content()}
        </div>
      ))}
      <div style={{ height: `${below}px` }} />
    </div>
  );
}
