import { KEYS } from "../state/keys.js";
import { openDialog } from "../state/palette.js";
import { Dialog } from "./dialog.js";

export function KeysHelp() {
  const close = () => {
    openDialog.value = null;
  };
  return (
    <Dialog label="Keys" close={close}>
      <h2>Keys</h2>
      <dl class="key-list">
        {KEYS.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              {keys.split(/\s+/).map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <button type="button" class="button" onClick={close}>
        Close
      </button>
    </Dialog>
  );
}
