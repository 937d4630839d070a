/** What the dashboard uses of the library of terminals. */
export { type Component, Editor, Input, parseKey, StdinBuffer, type Terminal, TUI, visibleWidth } from "@mariozechner/pi-tui";
