import { useEffect, useRef, useState } from "preact/hooks";
import type { OpenScreen } from "./open-screen.js";

/** Searches the terminal and its scrollback: upwards from the end, continuing with every Enter. */
export function Find({ screen }: { readonly screen: OpenScreen }) {
  const [text, setText] = useState<string | null>(null);
  const [none, setNone] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const isOpen = text !== null;
  useEffect(() => field.current?.focus(), [isOpen]);
  const close = () => {
    setText(null);
    screen.focus();
  };
  if (text === null) {
    return (
      <button type="button" class="link" onClick={() => setText("")}>
        Find
      </button>
    );
  }
  return (
    <span class="find">
      <input
        class="field"
        type="search"
        aria-label="Find in the terminal; Enter searches upwards, Shift+Enter downwards"
        autocomplete="off"
        spellcheck={false}
        value={text}
        ref={field}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setNone(false);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") setNone(!screen.find(text, event.shiftKey ? "next" : "before"));
          else if (event.key === "Escape") close();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span role="status">{none ? "not found" : ""}</span>
      <button type="button" class="link" onClick={close}>
        Close
      </button>
    </span>
  );
}
