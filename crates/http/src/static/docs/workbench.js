// The form that sends an operation to this server, and the samples that follow what is entered.

import { description, exampleText, keyHeader } from '/docs/description.js';
import { choice, code, el, jsonNodes, painted, panel, statusText } from '/docs/elements.js';
import { LANGUAGES, compose, sample } from '/docs/samples.js';
import { view } from '/docs/schema.js';

const SHOWN_HEADERS = ['x-request-id', 'etag', 'ratelimit', 'ratelimit-policy', 'retry-after', 'idempotent-replayed'];
/** Ids of paths that were entered or that answers brought; they serve the next operation. */
const ids = new Map();
let tryOpen = false;

/** What the browser keeps: the key until the tab is closed, the language for good. A browser that keeps nothing forgets it with the page. */
function kept(storage, name, value) {
  try {
    if (value !== undefined) storage().setItem(name, value);
    return storage().getItem(name);
  } catch { return null; }
}

const storedKey = (value) => kept(() => sessionStorage, 'docs.apiKey', value) ?? '';
const storedLanguage = (value) => {
  const id = kept(() => localStorage, 'docs.language', value);
  return LANGUAGES.find((language) => language.id === id) ?? LANGUAGES[0];
};

/** The field for the key. */
export function keyField() {
  const input = el('input', {
    type: 'password', class: 'key-field', autocomplete: 'off', spellcheck: 'false', value: storedKey(), input: () => storedKey(input.value),
  });
  return el('label', {}, el('span', {}, code(keyHeader()), el('small', {}, 'kept in this tab only')), input);
}

/** Takes ids from an answer: those of a resource, or of the first item of a list if none is known. */
function learn(answer) {
  const known = new Set(pathParameters().map((one) => one.name));
  const isList = Array.isArray(answer?.items);
  const one = (isList ? answer.items[0] : answer) ?? {};
  const nested = Object.values(one).filter((value) => value && typeof value === 'object' && !Array.isArray(value));
  for (const [field, value] of [...nested, one].flatMap(Object.entries)) {
    const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (typeof value === 'string' && known.has(name) && !(isList && ids.has(name))) ids.set(name, value);
  }
}

const pathParameters = () => description.operations.flatMap((one) => one.parameters).filter((one) => one.in === 'path');

/** A text with ids that are known in the place of those of examples. */
function withKnownIds(text) {
  const known = pathParameters().filter((one) => ids.has(one.name));
  return known.reduce((filled, one) => filled.replaceAll(one.example, ids.get(one.name)), text);
}

function input(one) {
  const { it, types } = view(one.schema);
  const choices = it.enum ?? (types.includes('boolean') ? ['true', 'false'] : null);
  const isPath = one.in === 'path';
  const attributes = { name: `${one.in}:${one.name}`, required: one.required, autocomplete: 'off', spellcheck: 'false' };
  const options = choices && [el('option', { value: '' }, '–'), choices.map((value) => el('option', {}, value))];
  const control = choices ? el('select', attributes, options) : el('input', { ...attributes, placeholder: isPath ? undefined : one.example });
  control.value = isPath ? ids.get(one.name) ?? one.example : one.required ? one.example : '';
  control.addEventListener('input', () => isPath && ids.set(one.name, control.value));
  return el('label', {}, el('span', {}, code(one.name), el('small', {}, one.required ? 'required' : one.in)), control);
}

/** The samples, the form and the answer of an operation. */
export function workbench(operation) {
  const languages = LANGUAGES.map(({ id, name }) => [id, name]);
  const needs = el('p', { class: 'needs' });
  const choose = (id) => { storedLanguage(id); follow(); };
  const samples = panel(choice('Language of the sample', languages, storedLanguage().id, choose), [], 'Request');
  const output = el('div', { class: 'answer', role: 'status' });
  const takesFile = operation.body?.isFile;
  const example = operation.body && !takesFile && exampleText(operation.body);
  const text = example && withKnownIds(example);
  const body = takesFile ? el('input', { name: 'body', type: 'file' })
    : text && el('textarea', { name: 'body', rows: Math.min(16, text.split('\n').length), spellcheck: 'false' }, text);
  const submit = el('button', { class: 'primary' }, 'Send');
  const send = async (event) => {
    event.preventDefault();
    const { url, ...request } = compose(operation, new FormData(form));
    if (storedKey()) request.headers[keyHeader()] = storedKey();
    submit.disabled = true;
    output.replaceChildren('Sending…');
    const started = performance.now();
    const sent = fetch(url, { ...request, credentials: 'omit', cache: 'no-store', signal: AbortSignal.timeout(60_000) });
    const shown = sent.then(async (response) => answer(response, await response.text(), performance.now() - started));
    output.replaceChildren(...await shown.catch((error) => [el('p', { class: 'failed' }, `No answer: ${error.message}`)]));
    submit.disabled = false;
  };
  const follow = () => {
    const language = storedLanguage();
    samples.querySelector('pre code').replaceChildren(...painted(sample(language.id, compose(operation, new FormData(form)))));
    needs.textContent = language.needs;
  };
  const has = (where) => operation.parameters.some((one) => one.in === where);
  const form = el('form', { submit: send, input: follow },
    keyField(),
    operation.parameters.map(input),
    body && el('label', {}, el('span', {}, 'Body', el('small', {}, takesFile ? 'a file; without one, a short text is sent' : 'JSON')), body),
    el('div', { class: 'send' }, submit, operation.method !== 'get' && el('small', {}, 'This changes real data.')),
    (has('path') || pathParameters().some((one) => example && example.includes(one.example))) && el('p', { class: 'needs' }, 'The example ids are replaced by those in the answers that you get here.'));
  follow();
  const folded = { class: 'try', open: tryOpen, toggle: (event) => { tryOpen = event.target.open; } };
  return [el('div', {}, samples, needs), el('details', folded, el('summary', {}, 'Try it'), form, output)];
}

function answer(response, text, took) {
  const isJson = /json/.test(response.headers.get('content-type')) && text.length < 300_000;
  if (isJson && response.ok) learn(JSON.parse(text));
  const header = (name) => [el('dt', {}, name), el('dd', {}, response.headers.get(name))];
  return [
    el('p', {}, statusText(response.status), ` ${response.statusText} in ${Math.round(took)} ms`),
    el('dl', {}, SHOWN_HEADERS.filter((name) => response.headers.has(name)).map(header)),
    text ? panel('Answer', isJson ? jsonNodes(text) : text) : el('p', {}, 'The answer has no body.'),
  ];
}
