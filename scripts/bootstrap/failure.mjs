/** A failure that the user can act on: only its message is printed. */
export class Failure extends Error {
  constructor(message, { exitCode = 1 } = {}) {
    super(message);
    this.exitCode = exitCode;
  }
}
