/**
 * The document as the terminal emulator sees it. It writes style elements, which the page's policy forbids; the rules that it writes go into style sheets made by
 * script, which the policy allows.
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

function createElement(name: string): HTMLElement {
  return name === "style" ? sheetElement() : document.createElement(name);
}

/** An element that shows nothing, whose text is a style sheet of the document for as long as the element is not removed. */
function sheetElement(): HTMLElement {
  const element = document.createElement("span");
  element.hidden = true;
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
  Object.defineProperty(element, "sheet", { get: () => sheet });
  const remove = element.remove.bind(element);
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    remove();
  };
  return element;
}
