import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Whether text in a place is selected, or is being selected: changed text would end the selection. */
export function useSelecting(place: RefObject<HTMLElement>): boolean {
  const [selected, setSelected] = useState(false);
  const [pressed, setPressed] = useState(false);
  useEffect(() => {
    const inside = (node: EventTarget | null) => node instanceof Node && place.current?.contains(node) === true;
    const look = () => {
      const selection = document.getSelection();
      setSelected(selection !== null && !selection.isCollapsed && (inside(selection.anchorNode) || inside(selection.focusNode)));
    };
    const press = ({ target, button }: PointerEvent) => setPressed(button === 0 && inside(target));
    const leave = () => setPressed(false);
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener("selectionchange", look, { signal });
    document.addEventListener("pointerdown", press, { signal });
    document.addEventListener("pointerup", leave, { signal });
    document.addEventListener("pointercancel", leave, { signal });
    return () => listening.abort();
  }, []);
  return selected || pressed;
}
