/** Why there will be no conversation, and what a person should do. */
export class NoConversation extends Error {
  readonly hint: string | null;

  constructor(message: string, hint: string | null) {
    super(message);
    this.hint = hint;
  }
}
