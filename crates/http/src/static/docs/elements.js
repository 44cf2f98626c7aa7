// Elements of the page. Texts of the description become text nodes, never markup.

/** Builds an element. Attributes that are functions listen to the event of that name. */
export function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name, value);
    else if (value !== false && value !== undefined) node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child || child === 0));
  return node;
}

export const code = (text, kind) => el('code', { class: kind }, text);
export const section = (title, ...content) => el('section', {}, el('h2', {}, title), content);
export const head = (above, title, ...below) =>
  el('header', {}, el('p', { class: 'group' }, above), el('h1', { tabindex: -1 }, title), below);
export const mustBe = () => el('span', { class: 'required' }, 'required');
export const badge = ({ method }) => el('span', { class: `method ${method}` }, method.toUpperCase());
export const statusText = (status) => el('span', { class: `status s${String(status)[0]}` }, String(status));

/** Paragraphs of a description, with `code` between backticks. */
export function prose(text = '') {
  return text.split(/\n\s*\n/).filter((part) => part.trim()).map((part) =>
    el('p', {}, part.split(/`([^`]+)`/).map((piece, index) => (index % 2 ? code(piece) : piece))));
}

/** A `details` whose content is built when it is first opened. */
export function fold(summary, build, attributes = {}) {
  const fill = () => node.open && node.childElementCount === 1 && node.append(...[build()].flat().filter(Boolean));
  const node = el('details', { ...attributes, toggle: fill }, el('summary', {}, summary));
  fill();
  return node;
}

let groups = 0;

/** A group of choices, of which one is chosen: pairs of a value and what it is called. */
export function choice(label, options, chosen, choose) {
  groups += 1;
  const name = `choice-${groups}`;
  const option = ([value, text]) => el('label', {},
    el('input', { type: 'radio', name, value, checked: value === chosen, change: () => choose(value) }), el('span', {}, text));
  return el('fieldset', { class: 'choice' }, el('legend', { class: 'hidden' }, label), options.map(option));
}

/** JSON text as its tokens, each with its kind and the white space after it. Values are not read: numbers stay as they were sent. */
export function layout(text, step = 2, from = 0) {
  const opens = (token) => token === '{' || token === '[';
  const closes = (token) => token === '}' || token === ']';
  let depth = 0;
  return (text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? []).map((token, index, tokens) => {
    const next = tokens[index + 1];
    const kind = /^[{}[\],:]$/.test(token) ? 'mark' : next === ':' ? 'key' : token[0] === '"' ? 'string' : 'literal';
    depth += Number(opens(token)) - Number(closes(next));
    const breaks = next && (opens(token) ? !closes(next) : token === ',' || closes(next));
    return { token, kind, after: token === ':' ? ' ' : breaks ? `\n${' '.repeat(from + step * depth)}` : '' };
  });
}

/** JSON text, indented and coloured. */
export function jsonNodes(text) {
  return layout(text).map(({ token, kind, after }) =>
    [kind === 'mark' ? token : el('span', { class: kind }, token), after]);
}

/** Code with its strings and comments coloured. */
export function painted(text) {
  const pieces = text.split(/("(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.|'\\'')*'|(?<=^|\s)(?:#|\/\/) .*)/m);
  return pieces.map((piece, index) =>
    (index % 2 ? el('span', { class: /^["']/.test(piece) ? 'string' : 'comment' }, piece) : piece));
}

/** Copies the text of a node; the newer way to the clipboard is closed to pages from plain HTTP. */
async function copied(node) {
  try {
    await navigator.clipboard.writeText(node.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(node);
    return document.execCommand('copy');
  }
}

/** A button that copies the text of a node. */
export function copyButton(node, what) {
  const copy = async () => {
    button.textContent = await copied(node) ? 'Copied' : 'Selected';
    setTimeout(() => { button.textContent = 'Copy'; }, 1600);
  };
  const button = el('button', { type: 'button', class: 'quiet', click: copy, 'aria-live': 'polite', title: `Copy: ${what}` }, 'Copy');
  return button;
}

/** A block of code below a bar with its title, or what to choose from, and a button that copies it. */
export function panel(title, content, label = title) {
  const text = el('code', {}, content);
  return el('div', { class: 'panel' },
    el('div', { class: 'bar' }, typeof title === 'string' ? el('span', {}, title) : title, copyButton(text, label)),
    el('pre', { tabindex: 0, role: 'group', 'aria-label': label }, text));
}
