// The first page, and the page of a tag.

import { deref, description, keyHeader, tags } from '/docs/description.js';
import { badge, code, el, head, prose, section } from '/docs/elements.js';
import { guideLink, guides } from '/docs/guides.js';
import { LANGUAGES } from '/docs/samples.js';
import { view } from '/docs/schema.js';
import { keyField } from '/docs/workbench.js';

/** A list of operations, each a link with its path and what it does. */
function index(operations) {
  const row = (one) => el('li', {}, el('a', { href: `#${one.id}` },
    badge(one), el('span', {}, one.title), one.event ? el('small', {}, one.raw.summary) : code(one.path)));
  return el('ul', { class: 'index' }, operations.map(row));
}

/** The first page; `missing` is what the address asked for in vain. */
export function overview(missing) {
  const { api } = description;
  const codes = view(deref({ $ref: '#/components/schemas/Error' }).properties?.code).it.enum ?? [];
  const errorPage = (one) => el('li', {}, el('a', { href: `/errors/${encodeURIComponent(one.toLowerCase())}` }, code(one)));
  const card = (guide) => el('li', {}, el('a', { href: `#${guide.id}` }, el('strong', {}, guide.title), el('span', {}, guide.lead)));
  const names = LANGUAGES.map((language) => language.name);
  return el('article', {},
    head(`Version ${api.info.version}`, api.info.title,
      el('div', { class: 'lead' }, missing && el('p', { class: 'failed' }, 'There is nothing here called ', code(missing), '.'),
        prose(api.info.description))),
    section('Guides', el('ul', { class: 'cards' }, guides.map(card))),
    section('Your key', el('p', {}, 'Send your API key in the header ', code(keyHeader()), ' with every request. Enter it here to try the operations in this browser.'),
      el('form', { class: 'own-key', submit: (event) => event.preventDefault() }, keyField())),
    section('Samples', el('p', {}, `Every operation has its request in ${names.slice(0, -1).join(', ')} and ${names.at(-1)}, with the example of the description. The choice of the language is remembered.`)),
    section('Errors', el('p', {}, 'Every error has one of these codes.'), el('ul', { class: 'codes' }, codes.map(errorPage))),
    tags().map((tag) => el('section', {}, el('h2', {}, el('a', { href: `#${tag.id}` }, tag.name)), index(tag.operations))));
}

/** The page of a tag: what it is about, and its operations. */
export function tagPage(tag) {
  const guide = guideLink(tag.name);
  const isEvents = tag.operations.every((one) => one.event);
  return el('article', {},
    head(isEvents ? 'Events' : 'Operations', tag.name, el('div', { class: 'lead' }, prose(tag.description), guide && el('p', {}, guide))),
    section(isEvents ? 'Events' : 'Operations', index(tag.operations)));
}
