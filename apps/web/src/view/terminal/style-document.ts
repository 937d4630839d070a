/**
 * The document as the terminal emulator sees it. The emulator writes style elements and style attributes, which the page's policy forbids. The same rules are
 * allowed where a script sets them: as style sheets of the document, and through an element's `style`.
 */
export function styleDocument(): Document {
  const methods = new Map<PropertyKey, unknown>();
  return new Proxy(document, {
    get(target, name) {
      if (name === "createElement") return createElement;
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      if (!methods.has(name)) methods.set(name, value.bind(target));
      return methods.get(name);
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  });
}

/** Runs what makes its elements with the page's own document, whatever it was given. */
export function withStyleSheets(run: () => void): void {
  Object.defineProperty(document, "createElement", { value: createElement, configurable: true });
  try {
    run();
  } finally {
    Reflect.deleteProperty(document, "createElement");
  }
}

const make = Document.prototype.createElement;

function createElement(name: string): HTMLElement {
  if (name === "style") return sheetElement();
  const element: HTMLElement = make.call(document, name);
  if (name === "span") element.setAttribute = setAttribute;
  return element;
}

function setAttribute(this: HTMLElement, name: string, value: string): void {
  if (name === "style") this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
}

/** An element that shows nothing, whose text is a style sheet of the document until the element is removed. */
function sheetElement(): HTMLElement {
  const element: HTMLElement = make.call(document, "template");
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  let text = "";
  Object.defineProperty(element, "textContent", {
    get: () => text,
    set(value: string) {
      text = value;
      sheet.replaceSync(value);
    },
  });
  const remove = element.remove.bind(element);
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    remove();
  };
  return element;
}
