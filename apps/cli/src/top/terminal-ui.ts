/** What the dashboard uses of the library of terminals, which is a file of its own in the program. */
export { type Component, Editor, Input, parseKey, StdinBuffer, type Terminal, TUI, visibleWidth } from "@mariozechner/pi-tui";
