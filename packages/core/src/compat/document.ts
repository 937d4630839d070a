/** A document's object, in the order in which its fields are written. */
export type Document = Readonly<Record<string, unknown>>;
