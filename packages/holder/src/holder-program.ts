/** The program inside a holder. The holder is independent of it. */
export interface HolderProgram {
  /** `launch` is the value given to `startHolder`. A `TmpmError` thrown here is thrown by `startHolder`. */
  start(launch: unknown): Promise<RunningProgram>;
}

export interface RunningProgram {
  /** Its own process's pid; null for none. */
  readonly pid: number | null;
  /** Handles a client's request. @throws a TmpmError, which the client gets */
  call(request: HolderRequest, client: HolderClient): Promise<HolderReply>;
  /** The client has disconnected. */
  left(client: HolderClient): void;
  /** Resolves when the program has ended. The holder stays, for its exit and its last words to be collected. */
  readonly ended: Promise<void>;
  /** The holder is about to end. */
  close(): Promise<void>;
}

export interface HolderRequest {
  readonly verb: string;
  readonly args: unknown;
  readonly bytes: Uint8Array;
}

export interface HolderReply {
  readonly value: unknown;
  readonly bytes?: Uint8Array;
}

export interface HolderClient {
  readonly id: number;
  /** False when the client is behind: then `drained` reports when it has accepted the data. */
  emit(event: unknown, bytes?: Uint8Array): boolean;
  drained(): Promise<void>;
}
