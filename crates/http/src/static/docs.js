// The browsable page of this API: reads /openapi.json and draws it.
// It needs nothing from another host and runs under `default-src 'self'`. Everything that the description says
// becomes text nodes, never markup. Schemas are looked up when they are opened, so they may refer to themselves.

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const SHOWN_HEADERS = ['x-request-id', 'etag', 'ratelimit', 'ratelimit-policy', 'retry-after', 'idempotent-replayed'];
const byId = (id) => document.getElementById(id);
const entered = new Map(); // What was typed for a path parameter serves the next operation that takes it.
let [api, operations, tryOpen] = [{}, [], false];
const jsonContent = (holder) => Object.entries(deref(holder).content ?? {}).find(([type]) => /json/.test(type))?.[1].schema;
const keyHeader = () => Object.values(api.components?.securitySchemes ?? {}).find((scheme) => scheme.in === 'header')?.name;

/** Builds an element. Attributes that are functions listen to the event of that name. */
function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name, value);
    else if (value !== false && value !== undefined) node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child || child === 0));
  return node;
}

const code = (text, kind) => el('code', { class: kind }, text);
const section = (title, ...content) => el('section', {}, el('h2', {}, title), content);
const head = (above, title, ...below) => el('header', {}, el('p', { class: 'group' }, above), el('h1', { tabindex: -1 }, title), below);
const mustBe = () => el('span', { class: 'required' }, 'required');
const badge = ({ method }) => el('span', { class: `method ${method}` }, method.toUpperCase());
const statusText = (status, text) => el('span', { class: `status s${String(status)[0]}` }, text);

/** Paragraphs of a description, with `code` between backticks. */
function prose(text = '') {
  return text.split(/\n\s*\n/).filter((part) => part.trim()).map((part) =>
    el('p', {}, part.split(/`([^`]+)`/).map((piece, index) => (index % 2 ? code(piece) : piece))));
}

/** A `details` whose content is built when it is first opened. */
function fold(summary, build, attributes = {}) {
  const fill = () => node.open && node.childElementCount === 1 && node.append(...[build()].flat());
  const node = el('details', { ...attributes, toggle: fill }, el('summary', {}, summary));
  fill();
  return node;
}

/** JSON text, indented and coloured without reading its values, so that numbers stay as they were sent. */
function jsonNodes(text) {
  const opens = (token) => token === '{' || token === '[';
  const closes = (token) => token === '}' || token === ']';
  let depth = 0;
  return (text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? []).map((token, index, tokens) => {
    const next = tokens[index + 1];
    const kind = next === ':' ? 'key' : token[0] === '"' ? 'string' : 'literal';
    depth += Number(opens(token)) - Number(closes(next));
    const breaks = opens(token) ? !closes(next) : token === ',' || closes(next);
    const node = token === ':' ? ': ' : /^[{}[\],]$/.test(token) ? token : el('span', { class: kind }, token);
    return [node, breaks && `\n${'  '.repeat(depth)}`];
  });
}

/** A block of code with a title and a button that copies it. */
function panel(title, content) {
  const text = el('code', {}, content);
  const copy = () => {
    getSelection().selectAllChildren(text); // The newer way to the clipboard is closed to pages from plain HTTP.
    button.textContent = document.execCommand('copy') ? 'Copied' : 'Selected';
    setTimeout(() => { button.textContent = 'Copy'; }, 1600);
  };
  const button = el('button', { type: 'button', class: 'quiet', click: copy, 'aria-live': 'polite' }, 'Copy');
  return el('div', { class: 'panel' }, el('div', { class: 'bar' }, el('span', {}, title), button),
    el('pre', { tabindex: 0, role: 'region', 'aria-label': title }, text));
}

/** What a local reference points to. */
function deref(value = {}) {
  for (let hops = 0; value.$ref && hops < 20; hops += 1) {
    const { $ref, ...beside } = value;
    const steps = decodeURIComponent($ref).split('/').slice(1).map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'));
    value = { ...steps.reduce((place, step) => place?.[step], api), ...beside };
  }
  return value;
}

/** All operations and webhooks, in the order of their groups. */
function readOperations() {
  const read = (items, webhook) => Object.entries(items ?? {}).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const raw = item[method];
      const id = webhook ? path : raw.operationId ?? `${method} ${path}`;
      const words = id.replace(/([a-z0-9])([A-Z])/g, (_, end, start) => `${end} ${start.toLowerCase()}`);
      const group = raw.tags?.[0] ?? (webhook ? 'Webhooks' : 'Other');
      const title = webhook ? path : words[0].toUpperCase() + words.slice(1);
      const hint = [words, id, method, path, group, raw.summary].join(' ').toLowerCase();
      const parameters = [...(item.parameters ?? []), ...(raw.parameters ?? [])].map((one) => deref(one));
      return { id, title, group, path, webhook, raw, hint, parameters, method: webhook ? 'event' : method, body: jsonContent(raw.requestBody) };
    }));
  const all = [...read(api.paths, false), ...read(api.webhooks, true)];
  const order = [...new Set([...(api.tags ?? []).map((tag) => tag.name), ...all.map((one) => one.group)])];
  return all.sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
}

/** A schema as the page shows it: references followed, `null` told apart from the variants. */
function view(schema, depth = 0) {
  const name = schema?.$ref?.split('/').pop();
  const it = schema === true || depth > 20 ? {} : deref(schema);
  const types = [it.type ?? []].flat();
  const { anyOf, oneOf, ...beside } = it;
  const options = anyOf ?? oneOf ?? [];
  const variants = options.filter((option) => option.type !== 'null' && option.const !== null);
  const nullable = types.includes('null') || variants.length < options.length;
  const only = variants.length === 1 && view(variants[0], depth + 1);
  if (only) return { ...only, it: { ...only.it, ...beside }, nullable: nullable || only.nullable };
  return { it, name, nullable, variants, types: types.filter((type) => type !== 'null') };
}

function typeName({ it, types, variants }, depth = 0) {
  const below = (schema) => (depth > 5 ? '…' : typeName(view(schema), depth + 1));
  if (variants.length) return [...new Set(variants.map(below))].join(' or ');
  if (types.includes('array')) return `array of ${below(it.items)}`;
  if (types.length) return types.join(' or ') + (it.format ? ` (${it.format})` : '');
  return it.properties ? 'object' : 'const' in it || it.enum ? typeof (it.const ?? it.enum[0]) : 'any';
}

/** The bounds of a value, each a short text. */
function limits({ it }) {
  const span = (low, high, unit) => {
    if (low === undefined) return high !== undefined && `at most ${high}${unit}`;
    return high === undefined ? `at least ${low}${unit}` : `${low} to ${high}${unit}`;
  };
  const safe = (bound) => (Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound);
  return [
    'const' in it && ['always ', code(JSON.stringify(it.const))],
    it.minLength === 1 && !it.maxLength ? 'not empty' : span(it.minLength, it.maxLength, ' characters'),
    it.exclusiveMinimum !== undefined && `more than ${it.exclusiveMinimum}`, span(safe(it.minimum), safe(it.maximum), ''),
    span(it.minItems, it.maxItems, ' items'), it.pattern && !it.format && ['matches ', code(it.pattern)],
    'default' in it && ['default ', code(JSON.stringify(it.default))],
  ].filter(Boolean).map((bound) => el('span', {}, bound));
}

/** Description, bounds and permitted values of a schema; the values of an array's items count as its own. */
function notes(shown, description = shown.it.description) {
  const bounds = limits(shown);
  const values = shown.it.enum ?? (shown.types.includes('array') ? view(shown.it.items).it.enum : undefined);
  const list = values && el('ul', { class: 'values', 'aria-label': 'Permitted values' }, values.map((value) => el('li', {}, code(String(value)))));
  return [...prose(description), bounds.length > 0 && el('p', { class: 'limits' }, bounds), list].filter(Boolean);
}

/** The fields or variants below a schema: a word for their number, and how to build them. */
function inside(shown, depth = 0) {
  const { it, types, variants } = shown;
  if (depth > 5) return null;
  if (types.includes('array')) {
    const below = inside(view(it.items), depth + 1);
    return below && { ...below, label: `Each item: ${below.label}` };
  }
  if (variants.length) {
    const structured = variants.some((one) => inside(view(one), depth + 1));
    return structured && { label: `one of ${variants.length} shapes`, build: () => variantList(shown) };
  }
  const fields = Object.entries(it.properties ?? {});
  if (Object.keys(it.additionalProperties ?? {}).length) fields.push(['any other name', it.additionalProperties]);
  const label = fields.length === 1 ? '1 field' : `${fields.length} fields`;
  const rows = () => fields.map(([name, schema]) => field(name, schema, it.required?.includes(name)));
  return fields.length > 0 && { label, build: () => el('ul', { class: 'fields' }, rows()) };
}

function field(name, schema, required) {
  const shown = view(schema);
  const below = inside(shown);
  const type = el('span', { class: 'type' }, typeName(shown), shown.nullable && ' or null', shown.it.deprecated && ', deprecated');
  return el('li', {}, el('div', { class: 'field' }, code(name, 'name'), type, required && mustBe()), notes(shown),
    below && fold(below.label, below.build, { class: 'nest' }));
}

/** The variants, each named by the discriminator's values that choose it; the one without any is for the rest. */
function variantList({ it, variants }) {
  const tag = it.discriminator?.propertyName;
  const mapping = Object.entries(it.discriminator?.mapping ?? {});
  return el('ul', { class: 'variants' }, variants.map((variant) => {
    const one = view(variant);
    const below = inside(one);
    const values = mapping.filter(([, target]) => target === variant.$ref).map(([value], index) => [index > 0 && ' or ', code(value)]);
    const title = tag ? [code(tag), values.length ? ' is ' : ' is anything else', values] : it.title ?? one.name ?? typeName(one);
    return el('li', {}, below ? fold(title, () => [...notes(one), below.build()]) : [title, notes(one)]);
  }));
}

/** A whole schema: its fields at once, without a fold around them. */
function tree(schema) {
  const shown = view(schema);
  const kind = [typeName(shown), shown.name && [' ', code(shown.name)], shown.nullable && ' or null'];
  return el('div', { class: 'tree' }, el('p', { class: 'type' }, kind), notes(shown), inside(shown) && inside(shown).build());
}

/** Texts for the names (and formats) of fields; the first that fits is taken. */
const TEXTS = [[/date-time|At$/, '2026-03-20T09:30:00.000Z'], [/e-?mail/i, 'ada@example.com'], [/phone/i, '+14155550123'],
  [/linkedin/i, 'https://www.linkedin.com/in/ada-lovelace'], [/ur[li]|href|website/i, 'https://example.com/'], [/domain/i, 'example.com'],
  [/slug/i, 'spring-launch'], [/colou?r/i, '#3355cc'], [/label|button/i, 'Book a demo'], [/title|name|query/i, 'Spring launch'],
  [/context|description|detail|text|message/i, 'Introduce the spring release to new customers.'], [/key/i, 'order-1042']];

function exampleText(it, name) {
  const prefix = /^\^([a-z]+)_/.exec(it.pattern)?.[1] ?? /^(.+?)_?ids?$/i.exec(name)?.[1].replace(/_/g, '').toLowerCase();
  if (prefix && !it.format) return `${prefix}_01jpbz8n4xf5k9w2d7hq3mv6ta`;
  const text = TEXTS.find(([pattern]) => pattern.test(it.format ?? name))?.[1] ?? 'text';
  return text.padEnd(it.minLength ?? 0, '.').slice(0, it.maxLength);
}

/** A value that the schema permits: with `full`, every field of an answer; without, what a request must have. */
function example(schema, full, name = '', above = []) {
  const { it, types, variants, name: component } = view(schema);
  const given = it.examples?.[0] ?? it.const ?? (full ? undefined : it.default) ?? it.enum?.[0];
  if (given !== undefined) return given;
  if ((component && above.includes(component)) || above.length > 12) return types.includes('array') ? [] : {};
  const path = [...above, component];
  if (variants.length) {
    const value = example(variants[0], full, name, path);
    const tag = Object.entries(it.discriminator?.mapping ?? {}).find(([, target]) => target === variants[0].$ref)?.[0];
    return tag ? { ...value, [it.discriminator.propertyName]: tag } : value;
  }
  if (types.includes('array')) return [example(it.items, full, name.replace(/s$/, ''), path)];
  if (types.includes('object')) {
    const fields = Object.entries(it.properties ?? {});
    let chosen = fields.filter(([field]) => full || it.required?.includes(field));
    // Nothing is required of a change, so show one that changes something.
    if (!chosen.length && !above.length) chosen = [fields.find(([field]) => /^(name|title)$/.test(field)) ?? fields[0]].filter(Boolean);
    return Object.fromEntries(chosen.map(([field, one]) => [field, example(one, full, field, path)]));
  }
  if (types.includes('boolean')) return true;
  if (types.includes('string')) return exampleText(it, name);
  return types.length ? it.minimum ?? (it.exclusiveMinimum ?? 0) + 1 : {};
}

/** What the browser keeps until the tab is closed; a browser that may keep nothing forgets it with the page. */
function storedKey(value) {
  try {
    if (value !== undefined) sessionStorage.setItem('docs.apiKey', value);
    return sessionStorage.getItem('docs.apiKey') ?? '';
  } catch { return ''; }
}

/** The parts of a request from what the form holds; `fallback` supplies what must not be empty. */
function compose({ path, method, parameters }, values, fallback) {
  const of = (one) => values.get(`${one.in}:${one.name}`) || (one.required ? fallback(one) : '');
  const given = (place) => parameters.filter((one) => one.in === place && of(one)).map((one) => [one.name, of(one)]);
  const query = new URLSearchParams(given('query')).toString();
  const place = given('path').reduce((text, [name, value]) => text.replace(`{${name}}`, () => encodeURIComponent(value)), path);
  const body = values.get('body') || undefined;
  const headers = Object.fromEntries([...given('header'), ...(body ? [['content-type', 'application/json']] : [])]);
  return { url: query ? `${place}?${query}` : place, headers, body, method: method.toUpperCase() };
}

function curl(operation, values) {
  const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const { url, headers, body, method } = compose(operation, values, (one) => String(example(one.schema, false, one.name)));
  const base = new URL(api.servers?.[0]?.url ?? '/', location.origin).href.replace(/\/$/, '');
  const sent = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  const key = keyHeader() && `-H "${keyHeader()}: $API_KEY"`;
  return [`curl -X ${method} ${quote(base + url)}`, key, ...sent, body && `-d ${quote(body)}`].filter(Boolean).join(' \\\n  ');
}

function input(one) {
  const { it, types } = view(one.schema);
  const choices = it.enum ?? (types.includes('boolean') ? ['true', 'false'] : null);
  const attributes = { name: `${one.in}:${one.name}`, required: one.required, autocomplete: 'off', spellcheck: 'false' };
  const options = choices && [el('option', { value: '' }, '–'), choices.map((choice) => el('option', {}, choice))];
  const placeholder = one.required && example(one.schema, false, one.name);
  const control = choices ? el('select', attributes, options) : el('input', { ...attributes, placeholder });
  control.addEventListener('input', () => one.in === 'path' && entered.set(one.name, control.value));
  control.value = entered.get(one.name) ?? '';
  return el('label', {}, el('span', {}, code(one.name), el('small', {}, one.required ? 'required' : one.in)), control);
}

/** The form that sends the operation to this server, and the curl command that follows what is typed. */
function workbench(operation) {
  const command = panel('Request');
  const output = el('div', { class: 'answer', role: 'status' });
  const key = el('input', { type: 'password', autocomplete: 'off', value: storedKey(), input: () => storedKey(key.value) });
  const text = operation.body && JSON.stringify(example(operation.body, false), null, 2);
  const body = text && el('textarea', { name: 'body', rows: Math.min(16, text.split('\n').length + 1), spellcheck: 'false' }, text);
  const submit = el('button', { class: 'primary' }, 'Send');
  const send = async (event) => {
    event.preventDefault();
    const { url, ...request } = compose(operation, new FormData(form), () => '');
    if (key.value) request.headers[keyHeader()] = key.value;
    submit.disabled = true;
    output.replaceChildren('Sending…');
    const started = performance.now();
    const sent = fetch(url, { ...request, credentials: 'omit', cache: 'no-store', signal: AbortSignal.timeout(60_000) });
    const shown = sent.then(async (response) => answer(response, await response.text(), performance.now() - started));
    output.replaceChildren(...await shown.catch((error) => [el('p', { class: 'failed' }, `No answer: ${error.message}`)]));
    submit.disabled = false;
  };
  const follow = () => { command.querySelector('pre code').textContent = curl(operation, new FormData(form)); };
  const form = el('form', { submit: send, input: follow },
    keyHeader() && el('label', {}, el('span', {}, code(keyHeader()), el('small', {}, 'kept in this tab only')), key),
    operation.parameters.map(input),
    body && el('label', {}, el('span', {}, 'Body', el('small', {}, 'JSON')), body),
    el('div', { class: 'send' }, submit, operation.method !== 'get' && el('small', {}, 'This changes real data.')));
  follow();
  const kept = { class: 'try', open: tryOpen, toggle: (event) => { tryOpen = event.target.open; } };
  return [command, el('details', kept, el('summary', {}, 'Try it'), form, output)];
}

function answer(response, text, took) {
  const isJson = /json/.test(response.headers.get('content-type')) && text.length < 300_000;
  const header = (name) => [el('dt', {}, name), el('dd', {}, response.headers.get(name))];
  return [
    el('p', {}, statusText(response.status, `${response.status} ${response.statusText}`), ` in ${Math.round(took)} ms`),
    el('dl', {}, SHOWN_HEADERS.filter((name) => response.headers.has(name)).map(header)),
    text ? panel('Answer', isJson ? jsonNodes(text) : text) : el('p', {}, 'The answer has no body.'),
  ];
}

function parameterTable({ parameters }) {
  return ['path', 'query', 'header'].map((place) => [place, parameters.filter((one) => one.in === place)]).map(([place, list]) =>
    list.length > 0 && el('table', {},
      el('caption', {}, { path: 'In the path', query: 'In the query', header: 'In the headers' }[place]),
      el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Parameter'), el('th', { scope: 'col' }, 'Meaning'))),
      el('tbody', {}, list.map((one) => el('tr', {},
        el('th', { scope: 'row' }, code(one.name, 'name'), one.required && mustBe()),
        el('td', {}, el('span', { class: 'type' }, typeName(view(one.schema))), notes(view(one.schema), one.description)))))));
}

function responseList({ raw }) {
  return el('div', { class: 'responses' }, Object.entries(raw.responses ?? {}).map(([status, response]) => {
    const [schema, line] = [jsonContent(response), [statusText(status, status), ' ', deref(response).description]];
    return schema ? fold(line, () => tree(schema), { open: status[0] === '2' }) : el('p', {}, line);
  }));
}

function operationPage(operation) {
  const { raw, body, webhook } = operation;
  const [status, success] = Object.entries(raw.responses ?? {}).find(([code]) => code[0] === '2') ?? [];
  const sample = (title, schema) => schema && panel(title, jsonNodes(JSON.stringify(example(schema, true))));
  return el('article', {},
    head(operation.group, operation.title, el('p', { class: 'route' }, badge(operation), code(operation.path)),
      el('div', { class: 'lead' }, prose(raw.summary), prose(raw.description), raw.deprecated && el('p', {}, 'Deprecated.'))),
    el('div', { class: 'columns' },
      el('div', { class: 'text' },
        operation.parameters.length > 0 && section('Parameters', parameterTable(operation)),
        body && section(webhook ? 'Payload' : raw.requestBody.required ? 'Body' : 'Body (optional)', tree(body)),
        section(webhook ? 'Your answer' : 'Responses', responseList(operation))),
      el('div', { class: 'bench' },
        webhook ? sample('Payload', body) : [workbench(operation), sample(`Response ${status}`, jsonContent(success))])));
}

function overview(missing) {
  const codes = view(deref({ $ref: '#/components/schemas/Error' }).properties?.code).it.enum ?? [];
  const errorPage = (one) => el('li', {}, el('a', { href: `/errors/${encodeURIComponent(one.toLowerCase())}` }, code(one)));
  return el('article', {},
    head(`Version ${api.info.version}`, api.info.title,
      el('div', { class: 'lead' }, missing && el('p', {}, 'There is no operation ', code(missing), '.'), prose(api.info.description))),
    keyHeader() && section('Authentication', el('p', {}, 'Send your API key in the header ', code(keyHeader()), ' with every request.')),
    section('Errors', el('p', {}, 'Every error has one of these codes.'), el('ul', { class: 'codes' }, codes.map(errorPage))),
    section('Operations', groups(operations, 'h3', (one) => [badge(one), el('span', {}, one.title), code(one.path)], 'index')));
}

function groups(list, heading, content, kind) {
  const link = (one, href = `#${encodeURIComponent(one.id)}`) =>
    el('a', { href, 'aria-current': href === location.hash && 'page' }, content(one));
  return [...new Set(list.map((one) => one.group))].map((group) => el('section', { class: kind }, el(heading, {}, group),
    el('ul', {}, list.filter((one) => one.group === group).map((one) => el('li', {}, link(one))))));
}

function drawNav() {
  const words = byId('search').value.toLowerCase().split(/\s+/);
  const list = operations.filter((one) => words.every((word) => one.hint.includes(word)));
  byId('nav').replaceChildren(...groups(list, 'h2', (one) => [el('span', {}, one.title), badge(one)]));
  byId('found').textContent = list.length < operations.length ? `${list.length} found` : '';
  byId('nav').querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
}

function show() {
  const wanted = new URLSearchParams(`id=${location.hash.slice(1).replaceAll('+', '%2B')}`).get('id');
  const operation = operations.find((one) => one.id === wanted);
  byId('content').replaceChildren(operation ? operationPage(operation) : overview(wanted));
  document.title = operation ? `${operation.title} · ${api.info.title}` : api.info.title;
  drawNav();
  scrollTo(0, 0);
}

async function start() {
  const response = await fetch('/openapi.json');
  if (!response.ok) throw new Error(`status ${response.status}`);
  api = await response.json();
  operations = readOperations();
  byId('name').textContent = api.info.title;
  show();
  const menu = (open) => byId('menu').setAttribute('aria-expanded', open);
  byId('search').addEventListener('input', drawNav);
  byId('search').addEventListener('keydown', (event) => event.key === 'Enter' && byId('nav').querySelector('a')?.click());
  byId('menu').addEventListener('click', () => menu(byId('menu').getAttribute('aria-expanded') !== 'true') ?? drawNav());
  byId('nav').addEventListener('click', () => menu(false));
  byId('skip').addEventListener('click', (event) => { event.preventDefault(); byId('content').focus(); });
  addEventListener('hashchange', () => { show(); byId('content').querySelector('h1').focus({ preventScroll: true }); });
  addEventListener('keydown', (event) => event.key === 'Escape' && menu(false));
}

start().catch((error) => byId('content').replaceChildren(
  el('p', { class: 'failed', role: 'alert' }, `The description could not be loaded (${error.message}). Reload the page to try again.`)));
