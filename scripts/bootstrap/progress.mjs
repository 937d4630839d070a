const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/**
 * Performs one step and shows its progress: a spinner with the seconds on a terminal, one line before and one after elsewhere.
 * `done` is the final message, or a function of the result. Written to standard error, so that standard output contains only the requested output.
 */
export async function step({ doing, done }, work) {
  const started = Date.now();
  const finish = process.stderr.isTTY && process.env.TERM !== "dumb" ? spin(doing) : announce(doing);
  try {
    const result = await work();
    finish(`${typeof done === "function" ? done(result) : done} (${seconds(started)})`);
    return result;
  } catch (error) {
    finish(`${doing}: failed after ${seconds(started)}`);
    throw error;
  }
}

export function note(text) {
  process.stderr.write(`tmpm: ${text}\n`);
}

function announce(doing) {
  note(`${doing} ...`);
  return note;
}

function spin(doing) {
  const started = Date.now();
  let frame = 0;
  const draw = () => {
    process.stderr.write(`\r\x1b[K${FRAMES[frame]} ${doing} ... ${Math.floor((Date.now() - started) / 1000)} s`);
    frame = (frame + 1) % FRAMES.length;
  };
  draw();
  const timer = setInterval(draw, 100);
  return (text) => {
    clearInterval(timer);
    process.stderr.write("\r\x1b[K");
    note(text);
  };
}

function seconds(started) {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`;
}
