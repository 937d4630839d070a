import { dismiss, notices } from "../state/notices.js";

export function Notices() {
  return (
    <div class="notices" aria-live="polite">
      {notices.value.map(({ id, text, tone, actions }) => (
        <div key={id} class={`notice ${tone}`} role={tone === "error" ? "alert" : undefined}>
          <p>{text}</p>
          {actions.map(({ title, run }) => (
            <button
              key={title}
              type="button"
              class="button"
              onClick={() => {
                dismiss(id);
                run();
              }}
            >
              {title}
            </button>
          ))}
          <button type="button" class="button quiet" aria-label="Dismiss" onClick={() => dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
