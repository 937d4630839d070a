import type { ITheme } from "@xterm/xterm";

const COLOURS = {
  red: "#f2777a",
  green: "#7bc990",
  yellow: "#e5b567",
  blue: "#82aaff",
  magenta: "#c594e8",
  cyan: "#6fc3cf",
} as const;

/** Terminals are dark in both schemes, since most programs choose their colours for that. */
export function terminalTheme(): ITheme {
  return {
    background: "#0d0f12",
    foreground: "#d9dde2",
    cursor: "#d9dde2",
    cursorAccent: "#0d0f12",
    selectionBackground: "#3a4a6b",
    black: "#23272d",
    white: "#c9ced5",
    brightBlack: "#7c858f",
    brightWhite: "#ffffff",
    ...COLOURS,
    brightRed: "#ff9a9c",
    brightGreen: "#9be3ae",
    brightYellow: "#f5cf8e",
    brightBlue: "#a9c4ff",
    brightMagenta: "#d9b3f5",
    brightCyan: "#93dbe5",
  };
}
