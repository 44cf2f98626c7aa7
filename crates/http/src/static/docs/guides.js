// The guides, which are part of the page's HTML.

import { description, tags } from '/docs/description.js';
import { el, head, painted, panel } from '/docs/elements.js';

const words = (nodes) => nodes.map((node) => node.textContent).join(' ').replace(/\s+/g, ' ').trim();

/** A guide: its id, its title, its text before the first section, and its sections. */
function read(node) {
  const sections = [];
  const intro = [];
  for (const child of [...node.children].slice(1)) {
    if (child.localName === 'h2') sections.push({ id: child.id, title: child.textContent, nodes: [] });
    else (sections.at(-1)?.nodes ?? intro).push(child);
  }
  return {
    id: node.id, title: node.firstElementChild.textContent, node, text: words(intro), lead: intro[0]?.textContent ?? '',
    sections: sections.map(({ nodes, ...rest }) => ({ ...rest, text: words(nodes) })),
  };
}

const holder = document.getElementById('guides');
export const guides = [...holder.children].map(read);
holder.remove();

/** The guide that an id of a guide or of one of its sections belongs to. */
export const guideOf = (id) => guides.find((guide) => id === guide.id || guide.sections.some((one) => one.id === id));

/** Where to read more about a parameter or a tag. */
const TOPICS = {
  'Idempotency-Key': 'guide/api/idempotency',
  'If-Match': 'guide/api/concurrent-changes',
  'If-None-Match': 'guide/api/concurrent-changes',
  cursor: 'guide/api/collections-and-cursors',
  query: 'guide/api/search',
  Pages: 'guide/api/pages',
  Audiences: 'guide/api/audiences',
  'Audience Versions': 'guide/api/versions',
  Site: 'guide/api/the-site',
  Persons: 'guide/api/identifiers-of-persons-and-accounts',
  Accounts: 'guide/api/identifiers-of-persons-and-accounts',
  Audit: 'guide/api/audit',
  Events: 'guide/webhooks/polling-for-events',
  'Webhook Subscriptions': 'guide/webhooks/subscriptions',
  'Webhook Events': 'guide/webhooks/what-you-receive',
};

/** A link to the guide about a topic, if there is one. */
export function guideLink(topic) {
  const id = TOPICS[topic];
  const target = id && guides.flatMap((guide) => guide.sections).find((one) => one.id === id);
  return target && el('a', { href: `#${id}`, class: 'more' }, `Guide: ${target.title}`);
}

/** The page of a guide. */
export function guidePage(guide) {
  const content = el('div', { class: 'guide' });
  content.append(...[...guide.node.cloneNode(true).children].slice(1));
  for (const text of content.querySelectorAll('pre > code')) {
    const title = { sh: 'Shell', json: 'JSON' }[/language-(\w+)/.exec(text.className)?.[1]] ?? 'Code';
    text.parentNode.replaceWith(panel(title, painted(text.textContent.trimEnd())));
  }
  for (const title of content.querySelectorAll('h2, h3')) {
    title.tabIndex = -1;
    title.append(' ', el('a', { class: 'anchor', href: `#${title.id}`, 'aria-label': `Link to ${title.textContent}` }, '#'));
  }
  linkOperations(content);
  const contents = guide.sections.map((one) => el('li', {}, el('a', { href: `#${one.id}` }, one.title)));
  return el('article', { class: 'columns reading' },
    head('Guide', guide.title),
    el('nav', { class: 'bench contents', 'aria-label': 'On this page' }, el('h2', {}, 'On this page'), el('ul', {}, contents)),
    content);
}

/** Names of operations, such as `GET /v0/events` or `POST …/publish`, become links to them. */
function linkOperations(content) {
  for (const text of content.querySelectorAll(':not(pre, a) > code')) {
    const [, method, end] = /^(GET|POST|PUT|PATCH|DELETE) …?(\/\S+)$/.exec(text.textContent) ?? [];
    const fits = description.operations.filter((one) => one.method === method?.toLowerCase() && one.path.endsWith(end));
    const target = fits.find((one) => one.path === end) ?? (fits.length === 1 ? fits[0] : undefined);
    if (target) {
      const link = el('a', { href: `#${target.id}` });
      text.replaceWith(link);
      link.append(text);
    }
  }
}

/** Everything that can be searched for: what must be found first, what may be found as well, and where it leads. */
export function searchEntries() {
  const operations = description.operations.map((one) => ({
    id: one.id, title: one.title, kind: one.event ? 'Events' : 'Operations', operation: one, under: one.event ? '' : one.path,
    strong: [one.title, one.id, one.method, one.path, one.tag].join(' ').toLowerCase(),
    text: `${one.raw.summary} ${one.raw.description}`, also: one.parameters.map((parameter) => parameter.name).join(' ').toLowerCase(),
  }));
  const topics = tags().map((tag) => ({
    id: tag.id, title: tag.name, kind: 'Groups', under: '', strong: tag.name.toLowerCase(), text: tag.description,
  }));
  const readings = guides.flatMap((guide) => [{ ...guide, under: '' }, ...guide.sections.map((one) => ({ ...one, under: guide.title }))]);
  const sections = readings.map(({ id, title, text, under }) => ({ id, title, kind: 'Guides', under, strong: title.toLowerCase(), text }));
  return [...sections, ...topics, ...operations];
}
