/** A failure that the person at the terminal can act on: its message is all that is printed. */
export class Failure extends Error {
  constructor(message, { exitCode = 1 } = {}) {
    super(message);
    this.exitCode = exitCode;
  }
}
