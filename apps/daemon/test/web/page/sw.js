self.addEventListener("push", () => undefined);
