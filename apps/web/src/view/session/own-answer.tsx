import { isPhone } from "../../state/layout.js";
import { sendsByEnter } from "./sends-by-enter.js";

export interface OwnAnswerProps {
  readonly words: string;
  readonly write: (words: string) => void;
  readonly busy: boolean;
  readonly give: () => void;
}

/** The longest answer that the daemon takes, in characters. */
const LONGEST = 8_000;

/** A field for an answer of several lines. */
export function OwnAnswer({ words, write, busy, give }: OwnAnswerProps) {
  const submit = () => {
    if (words.trim() !== "" && !busy) give();
  };
  return (
    <form
      class="own-words"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <textarea
        class="field"
        rows={1}
        maxLength={LONGEST}
        aria-label="In your own words"
        placeholder="In your own words"
        value={words}
        onInput={({ currentTarget }) => write(currentTarget.value)}
        onKeyDown={(event) => {
          if (!sendsByEnter(event, isPhone.value)) return;
          event.preventDefault();
          submit();
        }}
      />
      <button type="submit" class="button" disabled={busy || words.trim() === ""}>
        Answer
      </button>
    </form>
  );
}
