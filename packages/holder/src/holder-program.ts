/** What runs inside a holder. The holder knows nothing of it. */
export interface HolderProgram {
  /** `launch` is what `startHolder` was given. A `TmpmError` that it throws is thrown by `startHolder`. */
  start(launch: unknown, side: HolderSide): Promise<RunningProgram>;
}

export interface HolderSide {
  readonly sessionId: string;
  readonly folder: string;
  /** Who is connected now. */
  clients(): readonly HolderClient[];
}

export interface RunningProgram {
  /** Of the process that it owns; null for none. */
  readonly pid: number | null;
  /** What a client asks, and the answer. @throws a TmpmError, which the client gets */
  call(request: HolderRequest, client: HolderClient): Promise<HolderReply>;
  /** The client is gone. */
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
  /** False when the client is behind: then `drained` reports when it has taken what it was given. */
  emit(event: unknown, bytes?: Uint8Array): boolean;
  drained(): Promise<void>;
}
