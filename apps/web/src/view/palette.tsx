import { useState } from "preact/hooks";
import { type Choice, choices, found, openDialog } from "../state/palette.js";
import { oneLine } from "../words/shown.js";
import { Dialog } from "./dialog.js";
import { isComposition } from "./session/sends-by-enter.js";

/** Sessions, pages and actions by name. */
export function Palette() {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const shown = found(choices(), text);
  const chosen = Math.min(at, shown.length - 1);
  const close = () => {
    openDialog.value = null;
  };
  const choose = (choice: Choice | undefined) => {
    close();
    // Once the dialog is gone, which gives the focus back.
    if (choice !== undefined) setTimeout(choice.run);
  };
  return (
    <Dialog label="Go to" close={close}>
      <input
        class="field"
        role="combobox"
        aria-expanded="true"
        aria-controls="choices"
        aria-activedescendant={shown[chosen] === undefined ? undefined : `choice-${chosen}`}
        aria-label="Session, page or action"
        placeholder="Session, page or action"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step !== undefined) {
            event.preventDefault();
            setAt((chosen + step + shown.length) % Math.max(1, shown.length));
          } else if (event.key === "Enter" && !isComposition(event)) {
            event.preventDefault();
            choose(shown[chosen]);
          }
        }}
      />
      <div id="choices" role="listbox" aria-label="Found">
        {shown.map((choice, index) => (
          // The field has the focus.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys
          <div
            key={choice.key}
            id={`choice-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => choose(choice)}
          >
            <span>{oneLine(choice.title)}</span>
            <span class="soft">{oneLine(choice.more)}</span>
          </div>
        ))}
      </div>
      {shown.length === 0 && <p class="soft">No match.</p>}
    </Dialog>
  );
}
