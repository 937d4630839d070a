/**
 * Queries that any terminal answers: device attributes, states, modes, sizes, colours. The holder answers them, as the one terminal that
 * always exists.
 */
const QUERY =
  /\u001b(?:\[[>=?]?[\d;]*c|\[\??[\d;]*n|\[\??[\d;]*\$p|\[(?:1[1-9]|2[01])(?:;\d*)*t|\[>\d*q|\[\?u|P[$+]q[^\u0007\u001b]*(?:\u0007|\u001b\\)|\](?:4;\d+|1[0-9]);\?(?:\u0007|\u001b\\))/g;
/** An incomplete sequence at the end. */
const UNFINISHED = /\u001b(?:\[[0-?]*[ -/]*|[\]P][^\u0007\u001b]*\u001b?)?$/;
/** A longer sequence is not a query. */
const MOST_HELD = 1024;

/** Filters terminal queries from output, in chunks, so that only the holder answers them. */
export function withoutQueries(): (bytes: Uint8Array) => Uint8Array {
  let held = "";
  return (bytes) => {
    const text = held + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
    const tail = UNFINISHED.exec(text);
    held = tail !== null && tail[0].length <= MOST_HELD ? tail[0] : "";
    return Buffer.from(text.slice(0, text.length - held.length).replace(QUERY, ""), "latin1");
  };
}
