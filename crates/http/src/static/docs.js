// The browsable page of this API: reads /openapi.json and draws it.
//
// It needs nothing from another host and runs under `default-src 'self'`. Everything that the description says
// becomes text nodes, never markup. Schemas are looked up when they are opened, so they may refer to themselves.

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const SHOWN_HEADERS = ['x-request-id', 'etag', 'ratelimit', 'ratelimit-policy', 'retry-after', 'idempotent-replayed'];
const KEY = 'docs.apiKey';
const byId = (id) => document.getElementById(id);
const entered = new Map(); // What was typed for a path parameter serves the next operation that takes it.
let api = {};
let operations = [];
let tryOpen = false;

// --- Elements ---

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

const code = (text, kind) => el('code', { class: kind }, String(text));
const section = (title, ...content) => el('section', {}, el('h2', {}, title), content);
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
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  const nodes = [];
  const opens = (token) => token === '{' || token === '[';
  const closes = (token) => token === '}' || token === ']';
  let depth = 0;
  tokens.forEach((token, index) => {
    const next = tokens[index + 1];
    const kind = next === ':' ? 'key' : token[0] === '"' ? 'string' : 'literal';
    nodes.push(token === ':' ? ': ' : /^[{}[\],]$/.test(token) ? token : el('span', { class: kind }, token));
    if (opens(token)) depth += 1;
    if (closes(next)) depth -= 1;
    const breaks = opens(token) ? !closes(next) : token === ',' || closes(next);
    if (breaks) nodes.push(`\n${'  '.repeat(depth)}`);
  });
  return nodes;
}

/** A block of code with a title and a button that copies it. */
function panel(title, content) {
  const text = el('code', {}, content);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
    } catch { // Browsers lend the clipboard to secure origins only.
      getSelection().selectAllChildren(text);
      document.execCommand('copy');
    }
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1600);
  };
  const button = el('button', { type: 'button', class: 'quiet', click: copy, 'aria-live': 'polite' }, 'Copy');
  return el('div', { class: 'panel' }, el('div', { class: 'bar' }, el('span', {}, title), button),
    el('pre', { tabindex: 0, role: 'region', 'aria-label': title }, text));
}

// --- The description ---

/** What a local reference points to. */
function deref(value = {}) {
  for (let hops = 0; value.$ref && hops < 20; hops += 1) {
    const { $ref, ...beside } = value;
    const steps = decodeURIComponent($ref).split('/').slice(1).map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'));
    value = { ...steps.reduce((place, step) => place?.[step], api), ...beside };
  }
  return value;
}

const jsonContent = (holder) => Object.entries(deref(holder).content ?? {}).find(([type]) => /json/.test(type))?.[1].schema;

/** All operations and webhooks, in the order of their groups. */
function readOperations() {
  const read = (items, webhook) => Object.entries(items ?? {}).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const raw = item[method];
      const id = webhook ? path : raw.operationId ?? `${method} ${path}`;
      const words = id.replace(/([a-z0-9])([A-Z])/g, (_, end, start) => `${end} ${start.toLowerCase()}`);
      const group = raw.tags?.[0] ?? (webhook ? 'Webhooks' : 'Other');
      return {
        id, group, path, webhook, raw,
        title: webhook ? path : words[0].toUpperCase() + words.slice(1),
        method: webhook ? 'event' : method,
        parameters: [...(item.parameters ?? []), ...(raw.parameters ?? [])].map((one) => deref(one)),
        body: jsonContent(raw.requestBody),
        hint: [words, id, method, path, group, raw.summary].join(' ').toLowerCase(),
      };
    }));
  const all = [...read(api.paths, false), ...read(api.webhooks, true)];
  const order = [...new Set([...(api.tags ?? []).map((tag) => tag.name), ...all.map((one) => one.group)])];
  return all.sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
}

/** A schema as the page shows it: references followed, `allOf` folded, `null` told apart from the variants. */
function view(schema, depth = 0) {
  const name = schema?.$ref?.split('/').pop();
  let it = schema === true || depth > 20 ? {} : deref(schema);
  for (const { it: part } of (it.allOf ?? []).map((one) => view(one, depth + 1))) {
    const required = [...(part.required ?? []), ...(it.required ?? [])];
    it = { ...part, ...it, required, properties: { ...part.properties, ...it.properties } };
  }
  const types = [it.type ?? []].flat();
  const { anyOf, oneOf, ...beside } = it;
  const options = anyOf ?? oneOf ?? [];
  const variants = options.filter((option) => option.type !== 'null' && option.const !== null);
  const nullable = types.includes('null') || variants.length < options.length;
  if (variants.length === 1) {
    const only = view(variants[0], depth + 1);
    return { ...only, it: { ...only.it, ...beside }, nullable: nullable || only.nullable };
  }
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
    if (low === undefined && high === undefined) return undefined;
    if (low === undefined || high === undefined) return low === undefined ? `at most ${high}${unit}` : `at least ${low}${unit}`;
    return low === high ? `exactly ${low}${unit}` : `${low} to ${high}${unit}`;
  };
  const safe = (bound) => (Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound);
  const onlyFilled = it.minLength === 1 && it.maxLength === undefined;
  return [
    'const' in it && ['always ', code(JSON.stringify(it.const))],
    onlyFilled ? 'not empty' : span(it.minLength, it.maxLength, ' characters'),
    span(safe(it.minimum), safe(it.maximum), ''),
    it.exclusiveMinimum !== undefined && `more than ${it.exclusiveMinimum}`,
    it.exclusiveMaximum !== undefined && `less than ${it.exclusiveMaximum}`,
    span(it.minItems, it.maxItems, ' items'),
    it.pattern && !it.format && ['matches ', code(it.pattern)],
    it.default !== undefined && ['default ', code(JSON.stringify(it.default))],
  ].filter(Boolean).map((bound) => el('span', {}, bound));
}

/** Description, bounds and permitted values of a schema; the values of an array's items count as its own. */
function notes(shown, description = shown.it.description) {
  const bounds = limits(shown);
  const values = shown.it.enum ?? (shown.types.includes('array') ? view(shown.it.items).it.enum : undefined);
  const text = (value) => code(typeof value === 'string' ? value : JSON.stringify(value));
  return [
    prose(description),
    bounds.length > 0 && el('p', { class: 'limits' }, bounds),
    values && el('ul', { class: 'values', 'aria-label': 'Permitted values' }, values.map((value) => el('li', {}, text(value)))),
  ].flat().filter(Boolean);
}

// --- The schema tree ---

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
  const list = () => fields.map(([name, schema]) => field(name, schema, it.required?.includes(name)));
  return fields.length > 0 && { label: fields.length === 1 ? '1 field' : `${fields.length} fields`, build: () => el('ul', { class: 'fields' }, list()) };
}

function field(name, schema, required) {
  const shown = view(schema);
  const below = inside(shown);
  return el('li', {},
    el('div', { class: 'field' }, code(name, 'name'),
      el('span', { class: 'type' }, typeName(shown), shown.nullable && ' or null', shown.it.deprecated && ', deprecated'),
      required && el('span', { class: 'required' }, 'required')),
    notes(shown),
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
  const kind = el('p', { class: 'type' }, typeName(shown), shown.name && [' ', code(shown.name)], shown.nullable && ' or null');
  return el('div', { class: 'tree' }, kind, notes(shown), inside(shown)?.build?.());
}

// --- Examples ---

const FORMATS = { 'date-time': '2026-03-20T09:30:00.000Z', date: '2026-03-20', uri: 'https://example.com/', email: 'ada@example.com' };
const TEXTS = [[/e-?mail/i, 'ada@example.com'], [/linkedin/i, 'https://www.linkedin.com/in/ada-lovelace'], [/phone/i, '+14155550123'],
  [/url|href|website/i, 'https://example.com/'], [/domain/i, 'example.com'], [/slug/i, 'spring-launch'], [/colou?r/i, '#3355cc'],
  [/query/i, 'spring'], [/label|button/i, 'Book a demo'], [/title|name/i, 'Spring launch'], [/key/i, 'order-1042'],
  [/context|description|detail|text|message/i, 'Introduce the spring release to new customers.']];

function exampleText(it, name) {
  const noun = /^(.+?)_?ids?$/i.exec(name)?.[1].replace(/[^a-z]/gi, '').toLowerCase();
  const prefix = /^\^([a-z]+)_/.exec(it.pattern)?.[1] ?? noun;
  if (FORMATS[it.format]) return FORMATS[it.format];
  if (prefix) return `${prefix}_01jpbz8n4xf5k9w2d7hq3mv6ta`;
  const text = TEXTS.find(([pattern]) => pattern.test(name))?.[1] ?? 'text';
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
    if (!chosen.length && !above.length) chosen = fields.filter(([, one]) => !inside(view(one))).slice(0, 1);
    return Object.fromEntries(chosen.map(([field, one]) => [field, example(one, full, field, path)]));
  }
  if (types.includes('boolean')) return true;
  if (types.includes('string')) return exampleText(it, name);
  return types.length ? it.minimum ?? (it.exclusiveMinimum ?? 0) + 1 : {};
}

// --- Requests ---

const keyHeader = () => Object.values(api.components?.securitySchemes ?? {}).find((scheme) => scheme.in === 'header')?.name;

/** The parts of a request from what the form holds; `fallback` supplies what must not be empty. */
function compose({ path, method, parameters }, values, fallback) {
  const of = (one) => values.get(`${one.in}:${one.name}`) || (one.required ? fallback(one) : '');
  const given = (place) => parameters.filter((one) => one.in === place && of(one)).map((one) => [one.name, of(one)]);
  const query = new URLSearchParams(given('query')).toString();
  const place = given('path').reduce((text, [name, value]) => text.replace(`{${name}}`, () => encodeURIComponent(value)), path);
  const headers = Object.fromEntries(given('header'));
  const body = values.get('body') || undefined;
  if (body) headers['content-type'] = 'application/json';
  return { url: query ? `${place}?${query}` : place, headers, body, method: method.toUpperCase() };
}

function curl(operation, values) {
  const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const { url, headers, body, method } = compose(operation, values, (one) => String(example(one.schema, false, one.name)));
  const base = new URL(api.servers?.[0]?.url ?? '/', location.origin).href.replace(/\/$/, '');
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(base + url)}`,
    keyHeader() && `-H "${keyHeader()}: $API_KEY"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    body && `-d ${quote(body.replaceAll('\r\n', '\n'))}`,
  ].filter(Boolean).join(' \\\n  ');
}

function input(one) {
  const { it, types } = view(one.schema);
  const choices = it.enum ?? (types.includes('boolean') ? ['true', 'false'] : null);
  const attributes = { name: `${one.in}:${one.name}`, required: one.required, autocomplete: 'off', spellcheck: 'false' };
  const control = choices
    ? el('select', attributes, el('option', { value: '' }, '–'), choices.map((choice) => el('option', {}, choice)))
    : el('input', { ...attributes, placeholder: one.required && example(one.schema, false, one.name) });
  if (one.in === 'path') {
    control.value = entered.get(one.name) ?? '';
    control.addEventListener('input', () => entered.set(one.name, control.value));
  }
  return el('label', {}, el('span', {}, code(one.name), el('small', {}, one.required ? 'required' : one.in)), control);
}

/** The form that sends the operation to this server, and the curl command that follows what is typed. */
function workbench(operation) {
  const command = panel('Request');
  const output = el('div', { class: 'answer', role: 'status' });
  const key = el('input', { type: 'password', autocomplete: 'off', input: () => sessionStorage.setItem(KEY, key.value) });
  key.value = sessionStorage.getItem(KEY) ?? '';
  const body = operation.body && el('textarea', { name: 'body', rows: 10, spellcheck: 'false' }, JSON.stringify(example(operation.body, false), null, 2));
  const submit = el('button', { class: 'primary' }, 'Send');
  const send = async (event) => {
    event.preventDefault();
    const { url, ...request } = compose(operation, new FormData(form), () => '');
    if (key.value) request.headers[keyHeader()] = key.value;
    submit.disabled = true;
    output.replaceChildren('Sending…');
    try {
      const started = performance.now();
      const response = await fetch(url, { ...request, credentials: 'omit', cache: 'no-store', signal: AbortSignal.timeout(60_000) });
      output.replaceChildren(...answer(response, await response.text(), performance.now() - started));
    } catch (error) {
      output.replaceChildren(el('p', { class: 'failed' }, `No answer: ${error.message}`));
    }
    submit.disabled = false;
  };
  const follow = () => { command.querySelector('pre code').textContent = curl(operation, new FormData(form)); };
  const form = el('form', { submit: send, input: follow },
    keyHeader() && el('label', {}, el('span', {}, code(keyHeader()), el('small', {}, 'kept in this tab only')), key),
    operation.parameters.map(input),
    body && el('label', {}, el('span', {}, 'Body', el('small', {}, 'JSON')), body),
    el('div', { class: 'send' }, submit, operation.method !== 'get' && el('small', {}, 'This changes real data.')));
  follow();
  const remember = (event) => { tryOpen = event.target.open; };
  return [command, el('details', { class: 'try', open: tryOpen, toggle: remember }, el('summary', {}, 'Try it'), form, output)];
}

function answer(response, text, took) {
  const isJson = /json/.test(response.headers.get('content-type')) && text.length < 300_000;
  const headers = SHOWN_HEADERS.filter((name) => response.headers.has(name));
  return [
    el('p', {}, statusText(response.status, `${response.status} ${response.statusText}`), ` in ${Math.round(took)} ms`),
    el('dl', {}, headers.map((name) => [el('dt', {}, name), el('dd', {}, response.headers.get(name))])),
    text ? panel('Answer', isJson ? jsonNodes(text) : text) : el('p', {}, 'The answer has no body.'),
  ];
}

// --- The pages ---

function parameterTable({ parameters }) {
  return ['path', 'query', 'header'].map((place) => [place, parameters.filter((one) => one.in === place)]).map(([place, list]) =>
    list.length > 0 && el('table', {},
      el('caption', {}, { path: 'In the path', query: 'In the query', header: 'In the headers' }[place]),
      el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Parameter'), el('th', { scope: 'col' }, 'Meaning'))),
      el('tbody', {}, list.map((one) => el('tr', {},
        el('th', { scope: 'row' }, code(one.name, 'name'), one.required && el('span', { class: 'required' }, 'required')),
        el('td', {}, el('span', { class: 'type' }, typeName(view(one.schema))), notes(view(one.schema), one.description)))))));
}

function responseList({ raw }) {
  return el('div', { class: 'responses' }, Object.entries(raw.responses ?? {}).map(([status, response]) => {
    const schema = jsonContent(response);
    const line = [statusText(status, status), ' ', deref(response).description];
    return schema ? fold(line, () => tree(schema), { open: status[0] === '2' }) : el('p', {}, line);
  }));
}

function operationPage(operation) {
  const { raw, body, webhook } = operation;
  const [status, success] = Object.entries(raw.responses ?? {}).find(([code]) => code[0] === '2') ?? [];
  const sample = (title, schema) => schema && panel(title, jsonNodes(JSON.stringify(example(schema, true))));
  return el('article', {},
    el('header', {}, el('p', { class: 'group' }, operation.group), el('h1', { tabindex: -1 }, operation.title),
      el('p', { class: 'route' }, badge(operation), code(operation.path)),
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
  const errorPage = (one) => el('a', { href: `/errors/${encodeURIComponent(one.toLowerCase())}` }, code(one));
  return el('article', {},
    el('header', {}, el('p', { class: 'group' }, `Version ${api.info.version}`), el('h1', { tabindex: -1 }, api.info.title),
      el('div', { class: 'lead' }, missing && el('p', {}, 'There is no operation ', code(missing), '.'), prose(api.info.description))),
    keyHeader() && section('Authentication', el('p', {}, 'Send your API key in the header ', code(keyHeader()), ' with every request.')),
    codes.length > 0 && section('Errors', el('p', {}, 'Every error has one of these codes.'),
      el('ul', { class: 'codes' }, codes.map((one) => el('li', {}, errorPage(one))))),
    section('For tools', el('p', {}, 'This page is drawn from ', el('a', { href: '/openapi.json' }, 'openapi.json'), `, in OpenAPI ${api.openapi}.`)),
    section('Operations', groups(operations, 'h3', (one) => [badge(one), el('span', {}, one.title), code(one.path)], 'index')));
}

function groups(list, heading, content, kind) {
  const link = (one) => el('a', { href: `#${encodeURIComponent(one.id)}`, 'data-id': one.id }, content(one));
  return [...new Set(list.map((one) => one.group))].map((group) => el('section', { class: kind }, el(heading, {}, group),
    el('ul', {}, list.filter((one) => one.group === group).map((one) => el('li', {}, link(one))))));
}

// --- Finding one's way ---

function drawNav() {
  const words = byId('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const list = operations.filter((one) => words.every((word) => one.hint.includes(word)));
  const found = groups(list, 'h2', (one) => [el('span', {}, one.title), badge(one)]);
  byId('nav').replaceChildren(...(list.length ? found : [el('p', {}, 'Nothing found.')]));
  byId('found').textContent = words.length ? `${list.length} found` : '';
  mark();
}

const wanted = () => { try { return decodeURIComponent(location.hash.slice(1)); } catch { return location.hash.slice(1); } };

function mark() {
  byId('nav').querySelector('[aria-current]')?.removeAttribute('aria-current');
  const link = [...byId('nav').querySelectorAll('a')].find((one) => one.dataset.id === wanted());
  link?.setAttribute('aria-current', 'page');
  link?.scrollIntoView({ block: 'nearest' });
}

function menu(open) {
  byId('side').classList.toggle('open', open);
  byId('menu').setAttribute('aria-expanded', String(open));
}

function show() {
  const operation = operations.find((one) => one.id === wanted());
  byId('content').replaceChildren(operation ? operationPage(operation) : overview(wanted()));
  document.title = operation ? `${operation.title} · ${api.info.title}` : api.info.title;
  menu(false);
  mark();
  scrollTo(0, 0);
}

async function start() {
  const response = await fetch('/openapi.json');
  if (!response.ok) throw new Error(`status ${response.status}`);
  api = await response.json();
  operations = readOperations();
  byId('name').textContent = api.info.title;
  show();
  drawNav();
  byId('search').addEventListener('input', drawNav);
  byId('search').addEventListener('keydown', (event) => event.key === 'Enter' && byId('nav').querySelector('a')?.click());
  byId('menu').addEventListener('click', () => menu(!byId('side').classList.contains('open')));
  byId('skip').addEventListener('click', (event) => { event.preventDefault(); byId('content').focus(); });
  addEventListener('hashchange', () => { show(); byId('content').querySelector('h1').focus({ preventScroll: true }); });
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') menu(false);
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.matches('input, textarea, select')) return;
    event.preventDefault();
    byId('search').focus();
  });
}

start().catch((error) => byId('content').replaceChildren(
  el('p', { class: 'failed', role: 'alert' }, `The description could not be loaded (${error.message}). Reload the page to try again.`)));
