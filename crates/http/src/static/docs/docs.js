// The documentation of this API: guides from the page itself, operations and events from /openapi.json.
// It needs nothing from another host and runs under `default-src 'self'`. Requests, responses and ids are the
// document's own examples; none is made up here.

import { description, load, tags } from '/docs/description.js';
import { el } from '/docs/elements.js';
import { guideOf, guidePage } from '/docs/guides.js';
import { drawNavigation, mark } from '/docs/navigation.js';
import { operationPage } from '/docs/operation.js';
import { overview, tagPage } from '/docs/overview.js';

const byId = (id) => document.getElementById(id);
let shown;

/** The id in the address; one that cannot be decoded is taken as it is. */
function wanted() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch { return location.hash.slice(1); }
}

/** What an id leads to: what is shown, its title, and how to build it. */
function pageOf(id) {
  const [operation, guide, tag] = [description.operations.find((one) => one.id === id), guideOf(id), tags().find((one) => one.id === id)];
  if (operation) return { id, operation, title: operation.title, build: () => operationPage(operation) };
  if (guide) return { id: guide.id, title: guide.title, build: () => guidePage(guide) };
  if (tag) return { id, title: tag.name, build: () => tagPage(tag) };
  return { id, build: () => overview(id) };
}

function show() {
  const id = wanted();
  const page = pageOf(id);
  const { title } = description.api.info;
  if (page.id !== shown) byId('content').replaceChildren(page.build());
  document.title = page.title ? `${page.title} · ${title}` : title;
  mark(page.id, page.operation);
  const section = page.id !== id && byId(id);
  if (section) section.scrollIntoView();
  else scrollTo(0, 0);
  // At the first page the focus stays at the start, so that Tab begins with the link to the content.
  if (shown !== undefined || section) (section || byId('content').querySelector('h1')).focus({ preventScroll: true });
  shown = page.id;
}

async function start() {
  await load();
  byId('name').textContent = description.api.info.title;
  drawNavigation();
  byId('source').hidden = false;
  show();
  const menu = (open) => byId('menu').setAttribute('aria-expanded', open);
  byId('menu').addEventListener('click', () => menu(byId('menu').getAttribute('aria-expanded') !== 'true'));
  byId('drawer').addEventListener('click', (event) => event.target.closest('nav a') && menu(false));
  byId('skip').addEventListener('click', (event) => { event.preventDefault(); byId('content').focus(); });
  addEventListener('hashchange', show);
  addEventListener('keydown', (event) => event.key === 'Escape' && menu(false));
}

start().catch((error) => byId('content').replaceChildren(
  el('p', { class: 'failed', role: 'alert' }, `The description could not be loaded (${error.message}). Reload the page to try again.`)));
