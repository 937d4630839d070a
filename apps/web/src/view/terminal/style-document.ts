/**
 * The terminal emulator writes style elements and style attributes, which the page's policy forbids. The same rules are allowed if a script sets them:
 * as style sheets of the document, and through an element's `style`. The emulator creates elements through the page's own document even if it was given
 * another one, so this stays installed; nothing else on the page creates elements by this method.
 */
export function allowStyles(): void {
  Object.defineProperty(document, "createElement", { value: createElement, configurable: true });
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

/** An invisible element whose text is a style sheet of the document until it is removed. */
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
