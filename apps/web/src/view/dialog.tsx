import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

export interface DialogProps {
  readonly label: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}

/** A modal; closes on Escape or a press outside. */
export function Dialog({ label, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the next key, which belongs to the dialog.
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) placeAfter(before).focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, which the element supports itself
    <dialog
      ref={dialog}
      class="dialog"
      aria-label={label}
      onClose={close}
      onClick={(event) => {
        if (event.target === event.currentTarget) close();
      }}
    >
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}

/** Not back into a terminal, which would get every further key: the chord that opens a dialog is the way out of it. */
function placeAfter(before: HTMLElement): HTMLElement {
  return before.closest(".xterm")?.closest<HTMLElement>("main") ?? before;
}
