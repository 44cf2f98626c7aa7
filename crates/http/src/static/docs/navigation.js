// The list of guides and operations at the side, and the search.

import { tags } from '/docs/description.js';
import { badge, el } from '/docs/elements.js';
import { guides, searchEntries } from '/docs/guides.js';

/** So many results of a kind are shown. */
const MOST = 12;
const byId = (id) => document.getElementById(id);
const link = (id, ...content) => el('li', {}, el('a', { href: `#${id}` }, content));
let entries = [];

/** Draws the list and listens to the search. */
export function drawNavigation() {
  entries = searchEntries();
  const group = (tag) => el('details', { 'data-tag': tag.id }, el('summary', {}, tag.name),
    el('ul', {}, link(tag.id, el('span', {}, 'Overview')),
      tag.operations.map((one) => link(one.id, el('span', {}, one.title), !one.event && badge(one)))));
  byId('nav').replaceChildren(
    el('h2', {}, 'Guides'), el('ul', {}, guides.map((one) => link(one.id, el('span', {}, one.title)))),
    el('h2', {}, 'Operations and events'), ...tags().map(group));
  byId('search').addEventListener('input', search);
  byId('search').addEventListener('keydown', (event) => event.key === 'Enter' && byId('results').querySelector('a')?.click());
  byId('results').addEventListener('click', (event) => event.target.closest('a') && clear());
  byId('drawer').addEventListener('keydown', walk);
  addEventListener('keydown', shortcut);
}

/** Marks the page that is shown, and opens its group. */
export function mark(id, operation) {
  for (const one of byId('nav').querySelectorAll('a')) {
    if (one.hash.slice(1) === id) one.setAttribute('aria-current', 'page');
    else one.removeAttribute('aria-current');
  }
  const tag = tags().find((one) => one.id === id || one.operations.includes(operation));
  const group = tag && byId('nav').querySelector(`[data-tag="${tag.id}"]`);
  if (group) group.open = true;
  byId('nav').querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
}

function search() {
  const words = byId('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  byId('results').hidden = words.length === 0;
  byId('nav').hidden = words.length > 0;
  byId('drawer').scrollTop = 0;
  byId('found').textContent = '';
  if (!words.length) return;
  const rank = (entry) => {
    if (words.every((word) => entry.strong.includes(word))) return entry.strong.startsWith(words[0]) ? 0 : 1;
    const text = `${entry.strong} ${entry.text.toLowerCase()} ${entry.also ?? ''}`;
    return words.every((word) => text.includes(word)) ? 2 : -1;
  };
  const found = entries.map((entry) => ({ ...entry, rank: rank(entry) })).filter((entry) => entry.rank >= 0).sort((a, b) => a.rank - b.rank);
  byId('found').textContent = found.length === 1 ? '1 result' : `${found.length} results`;
  // What was found by its name comes first, whatever its kind.
  const kinds = [...new Set(found.map((entry) => entry.kind))];
  byId('results').replaceChildren(...kinds.flatMap((kind) => {
    const list = found.filter((entry) => entry.kind === kind).slice(0, MOST);
    return [el('h2', {}, kind), el('ul', {}, list.map((entry) => result(entry, words[0])))];
  }));
}

function result({ id, title, under, operation, rank, text }, word) {
  const at = text.toLowerCase().indexOf(word);
  const from = Math.max(0, text.lastIndexOf(' ', Math.max(0, at - 24)));
  const excerpt = rank === 2 && at >= 0 && `${from > 0 ? '…' : ''}${text.slice(from, at + 60).trim()}…`;
  return link(id, el('span', {}, title, (excerpt || under) && el('small', {}, excerpt || under)), operation && !operation.event && badge(operation));
}

function clear() {
  byId('search').value = '';
  search();
}

/** The arrow keys go through the search field and what can be chosen below it; Escape ends a search. */
function walk(event) {
  if (event.key === 'Escape' && byId('search').value) {
    clear();
    byId('search').focus();
    event.stopPropagation();
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const stops = [byId('search'), ...byId('drawer').querySelectorAll('nav:not([hidden]) :is(a, summary)')].filter((one) => one.checkVisibility());
  const next = stops[stops.indexOf(document.activeElement) + step];
  if (next) {
    event.preventDefault();
    next.focus();
  }
}

/** `/` goes to the search, unless something is being typed. */
function shortcut(event) {
  const isTyping = event.target.closest?.('input:not([type=radio]), select, textarea');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  byId('menu').setAttribute('aria-expanded', 'true');
  byId('search').focus();
}
