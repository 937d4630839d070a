/** The reason why there is no conversation, and the required action of the user. */
export class NoConversation extends Error {
  readonly hint: string | null;

  constructor(message: string, hint: string | null) {
    super(message);
    this.hint = hint;
  }
}
