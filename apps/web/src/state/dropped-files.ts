/** A file dropped next to where files are accepted would otherwise replace the page. */
export function keepDroppedFiles(): void {
  for (const type of ["dragover", "drop"] as const) {
    addEventListener(type, (event) => {
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    });
  }
}
