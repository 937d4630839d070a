/** A pause that ends early when woken. */
export function wakeable(): { pause(ms: number): Promise<void>; wake(): void } {
  let wake: () => void = () => undefined;
  return {
    pause: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    wake: () => wake(),
  };
}
