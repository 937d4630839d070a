import type { IParser, ITerminalAddon, Terminal } from "@xterm/xterm";

/** Queries that this emulator would answer: device attributes, states, modes and window sizes. */
const CSI: readonly Parameters<IParser["registerCsiHandler"]>[0][] = [
  { final: "c" },
  { prefix: ">", final: "c" },
  { final: "n" },
  { prefix: "?", final: "n" },
  { intermediates: "$", final: "p" },
  { prefix: "?", intermediates: "$", final: "p" },
  { final: "t" },
];
/** Colours: a `?` in the place of a colour is a query. */
const COLOURS = [4, 10, 11, 12] as const;

/** Leaves a program's queries to its host, which answers them also without a viewer. Without this, every open page would type another answer. */
export function leaveQueries(): ITerminalAddon {
  let handlers: readonly { dispose(): void }[] = [];
  return {
    activate({ parser }: Terminal) {
      handlers = [
        ...CSI.map((id) => parser.registerCsiHandler(id, () => true)),
        ...COLOURS.map((id) => parser.registerOscHandler(id, (data) => data.split(";").includes("?"))),
        parser.registerDcsHandler({ intermediates: "$", final: "q" }, () => true),
      ];
    },
    dispose() {
      for (const handler of handlers) handler.dispose();
    },
  };
}
