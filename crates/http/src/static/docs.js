// The browsable page of this API: reads /openapi.json and draws it.
//
// It needs nothing from another host and runs under `default-src 'self'`. Everything that the description says
// becomes text nodes, never markup. Schemas are looked up when they are opened, so they may refer to themselves.

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];
const SHOWN_HEADERS = ['x-request-id', 'etag', 'ratelimit', 'ratelimit-policy', 'retry-after', 'idempotent-replayed', 'location', 'allow'];
const KEY = 'docs.apiKey';
const byId = (id) => document.getElementById(id);

let api = {};
let operations = [];
let tryOpen = false;
const entered = new Map(); // What was typed for a path parameter serves the next operation that takes it.

// --- Elements ---------------------------------------------------------------------------------------------------

/** Builds an element. Attributes that are functions listen to the event of that name. */
function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === 'function') node.addEventListener(name, value);
    else if (value !== false && value != null) node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child != null && child !== false && child !== ''));
  return node;
}

const code = (text, kind) => el('code', { class: kind }, String(text));
const badge = (operation) => el('span', { class: `method ${operation.method}` }, operation.method.toUpperCase());

/** Paragraphs of a description, with `code` between backticks. */
function prose(text) {
  return String(text ?? '').split(/\n\s*\n/).filter((part) => part.trim()).map((part) =>
    el('p', {}, part.split(/`([^`]+)`/).map((piece, index) => (index % 2 ? code(piece) : piece))));
}

/** A `details` whose content is built when it is first opened. */
function fold(summary, build, attributes) {
  const node = el('details', attributes, el('summary', {}, summary));
  const fill = () => node.open && node.childElementCount === 1 && node.append(...[build()].flat());
  node.addEventListener('toggle', fill);
  fill();
  return node;
}

/** JSON text, indented and coloured without reading its values, so that numbers stay as they were sent. */
function jsonNodes(text) {
  const nodes = [];
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  tokens.forEach((token, index) => {
    const empty = /^[}\]]$/.test(tokens[index + 1] ?? '');
    if (/^[{[]$/.test(token)) nodes.push(token, empty ? '' : (depth += 1, line()));
    else if (/^[}\]]$/.test(token)) nodes.push(/^[{[]$/.test(tokens[index - 1]) ? '' : (depth -= 1, line()), token);
    else if (token === ',') nodes.push(token, line());
    else if (token === ':') nodes.push(': ');
    else if (token[0] !== '"') nodes.push(el('span', { class: 'literal' }, token));
    else nodes.push(el('span', { class: tokens[index + 1] === ':' ? 'key' : 'string' }, token));
  });
  return nodes;
}

/** A block of code with a title and a button that copies it. */
function panel(title, ...content) {
  const text = el('code', {}, content);
  const block = el('pre', { tabindex: 0, 'aria-label': title, role: 'region' }, text);
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
  return { node: el('div', { class: 'panel' }, el('div', { class: 'bar' }, el('span', {}, title), button), block), text };
}

// --- The description --------------------------------------------------------------------------------------------

/** What a local reference points to. */
function deref(value) {
  for (let hops = 0; value?.$ref && hops < 20; hops += 1) {
    const { $ref, ...beside } = value;
    const steps = decodeURIComponent($ref).split('/').slice(1).map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    value = { ...steps.reduce((place, step) => place?.[step], api), ...beside };
  }
  return value ?? {};
}

/** All operations and webhooks, in the order of their groups. */
function readOperations() {
  const read = (items, webhook) => Object.entries(items ?? {}).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const raw = item[method];
      const id = raw.operationId ?? (webhook ? path : `${method} ${path}`);
      const words = id.replace(/([a-z0-9])([A-Z])/g, (_, end, start) => `${end} ${start.toLowerCase()}`);
      const title = webhook ? path : words[0].toUpperCase() + words.slice(1);
      const group = raw.tags?.[0] ?? (webhook ? 'Webhooks' : 'Other');
      const parameters = [...(item.parameters ?? []), ...(raw.parameters ?? [])].map(deref);
      const body = deref(raw.requestBody);
      const hint = [id, title, method, path, group, raw.summary].join(' ').toLowerCase();
      return { id, title, group, path, webhook, raw, parameters, hint, method: webhook ? 'event' : method,
        body: jsonContent(body), bodyRequired: body.required === true };
    }));
  const all = [...read(api.paths, false), ...read(api.webhooks, true)];
  const order = [...new Set([...(api.tags ?? []).map((tag) => tag.name), ...all.map((one) => one.group)])];
  return all.sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
}

const jsonContent = (holder) => Object.entries(holder.content ?? {}).find(([type]) => /json/.test(type))?.[1]?.schema;

/** A schema as the page shows it: references followed, `null` told apart, `allOf` folded, variants listed. */
function view(schema, depth = 0) {
  let it = deref(schema === true ? {} : schema);
  const name = schema?.$ref?.split('/').pop();
  if (depth > 20) return { it: {}, name, types: [], variants: [], nullable: false };
  for (const part of it.allOf ?? []) {
    const { it: more } = view(part, depth + 1);
    it = { ...more, ...it, properties: { ...more.properties, ...it.properties }, required: [...(more.required ?? []), ...(it.required ?? [])] };
  }
  const types = [it.type ?? []].flat();
  const options = it.anyOf ?? it.oneOf ?? [];
  const variants = options.filter((option) => option.type !== 'null' && option.const !== null);
  const nullable = types.includes('null') || variants.length < options.length;
  if (variants.length === 1) {
    const { anyOf, oneOf, ...beside } = it;
    const only = view(variants[0], depth + 1);
    return { ...only, it: { ...only.it, ...beside }, nullable: nullable || only.nullable };
  }
  return { it, name, nullable, variants, types: types.filter((type) => type !== 'null') };
}

function typeName(shown, depth = 0) {
  const { it, types, variants } = shown;
  if (depth > 5) return '…';
  if (variants.length) return [...new Set(variants.map((one) => typeName(view(one), depth + 1)))].join(' or ');
  if (types.includes('array')) return `array of ${typeName(view(it.items), depth + 1)}`;
  if (types.length) return types.join(' or ') + (it.format ? ` (${it.format})` : '');
  if ('const' in it || it.enum) return typeof (it.const ?? it.enum[0]);
  return it.properties ? 'object' : 'any';
}

/** The bounds of a value, as short texts. */
function limits({ it }) {
  const span = (low, high, unit) => {
    if (low === undefined && high === undefined) return [];
    if (low === high) return [`exactly ${low}${unit}`];
    if (high === undefined) return [`at least ${low}${unit}`];
    return [low === undefined ? `at most ${high}${unit}` : `${low} to ${high}${unit}`];
  };
  const safe = (bound) => (Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound);
  return [
    ...('const' in it ? ['always ', code(JSON.stringify(it.const))] : []),
    ...span(it.minLength, it.maxLength, ' characters'),
    ...span(safe(it.minimum), safe(it.maximum), ''),
    ...(it.exclusiveMinimum === undefined ? [] : [`more than ${it.exclusiveMinimum}`]),
    ...(it.exclusiveMaximum === undefined ? [] : [`less than ${it.exclusiveMaximum}`]),
    ...span(it.minItems, it.maxItems, ' items'),
    ...(it.uniqueItems ? ['no item twice'] : []),
    ...(it.pattern && !it.format ? [['matches ', code(it.pattern)]] : []),
    ...(it.default === undefined ? [] : [['default ', code(JSON.stringify(it.default))]]),
  ];
}

/** Description, bounds and permitted values of a schema; those of an array's items count as its own. */
function notes(shown, description) {
  const { it } = shown;
  const items = shown.types.includes('array') ? view(it.items).it : {};
  const bounds = limits(shown);
  const values = it.enum ?? items.enum;
  return [
    prose(description ?? it.description),
    bounds.length > 0 && el('p', { class: 'limits' }, bounds.map((bound) => el('span', {}, bound))),
    values && el('ul', { class: 'values', 'aria-label': 'Permitted values' }, values.map((value) => el('li', {}, code(typeof value === 'string' ? value : JSON.stringify(value))))),
  ];
}

// --- The schema tree --------------------------------------------------------------------------------------------

/** The fields or variants below a schema: a word for their number, and how to build them. */
function inside(shown) {
  const { it, types, variants } = shown;
  if (types.includes('array')) {
    const below = inside(view(it.items));
    return below && { ...below, label: `Each item: ${below.label}` };
  }
  if (variants.length) {
    const structured = variants.some((one) => inside(view(one)));
    return structured ? { label: `one of ${variants.length} shapes`, build: () => variantList(shown) } : null;
  }
  const extra = it.additionalProperties;
  const map = extra && typeof extra === 'object' && Object.keys(extra).length > 0 ? [['any other name', extra]] : [];
  const fields = [...Object.entries(it.properties ?? {}), ...map];
  if (!fields.length) return null;
  const required = new Set(it.required);
  return {
    label: fields.length === 1 ? '1 field' : `${fields.length} fields`,
    build: () => el('ul', { class: 'fields' }, fields.map(([name, schema]) => field(name, schema, required.has(name)))),
  };
}

function field(name, schema, required) {
  const shown = view(schema);
  const below = inside(shown);
  return el('li', {},
    el('div', { class: 'field' }, code(name, 'name'),
      el('span', { class: 'type' }, typeName(shown), shown.nullable && ' or null'),
      required && el('span', { class: 'required' }, 'required'),
      shown.it.readOnly && el('span', { class: 'type' }, 'read only'),
      shown.it.deprecated && el('span', { class: 'type' }, 'deprecated')),
    notes(shown),
    below && fold(below.label, below.build, { class: 'nest' }));
}

/** The property that tells variants apart: the declared one, else one that is a constant in some variant. */
function tagOf({ it, variants }) {
  if (it.discriminator) return it.discriminator.propertyName;
  const views = variants.map((one) => view(one).it.properties ?? {});
  return Object.keys(views[0] ?? {}).find((name) => views.every((one) => name in one) && views.some((one) => constants(one[name])));
}

const constants = (schema) => {
  const { it } = view(schema);
  return 'const' in it ? [it.const] : it.enum;
};

function variantList(shown) {
  const tag = tagOf(shown);
  const mapping = Object.entries(shown.it.discriminator?.mapping ?? {});
  return [
    tag && el('p', { class: 'limits' }, el('span', {}, 'The shape depends on ', code(tag), '.')),
    el('ul', { class: 'variants' }, shown.variants.map((variant) => {
      const one = view(variant);
      const mapped = mapping.filter(([, target]) => target === variant.$ref).map(([value]) => value);
      const values = mapped.length ? mapped : tag && one.it.properties?.[tag] ? constants(one.it.properties[tag]) ?? [] : null;
      const title = values
        ? [code(tag), values.length ? ' is ' : ' is anything else', values.map((value, index) => [index ? ' or ' : '', code(value)])]
        : [one.it.title ?? one.name ?? typeName(one)];
      const below = inside(one);
      return el('li', {}, below
        ? fold(title, () => [...notes(one).flat().filter(Boolean), below.build()].flat())
        : [el('span', { class: 'type' }, title), notes(one)]);
    })),
  ].filter(Boolean);
}

/** A whole schema: its fields at once, without a fold around them. */
function tree(schema) {
  const shown = view(schema);
  const below = inside(shown);
  const kind = el('p', { class: 'type' }, typeName(shown), shown.name && [' ', code(shown.name)], shown.nullable && ' or null');
  return el('div', { class: 'tree' }, kind, notes(shown), below ? below.build() : []);
}

// --- Examples ---------------------------------------------------------------------------------------------------

const SHORT_NAMES = { request: 'req', subscription: 'sub', webhooksubscription: 'sub', pagelinkblock: 'linkblock', footerlinkblock: 'linkblock',
  navlinkblock: 'linkblock', tenantdomain: 'domain', audiencesession: 'session', headeraction: 'action' };
const TEXTS = [[/e-?mail/i, 'ada@example.com'], [/linkedin/i, 'https://www.linkedin.com/in/ada-lovelace'], [/phone/i, '+14155550123'],
  [/url|href|website|endpoint/i, 'https://example.com/hooks'], [/domain|hostname/i, 'example.com'], [/slug/i, 'spring-launch'], [/colou?r/i, '#3355cc'],
  [/^type$/i, 'open-url'], [/cursor/i, 'eyJhIjoxfQ'], [/query/i, 'spring'], [/label/i, 'Book a demo'], [/title|name/i, 'Spring launch'],
  [/context|description|detail|text|prompt|message/i, 'Introduce the spring release to new customers.'], [/key/i, 'order-1042']];
const FORMATS = { 'date-time': '2026-03-20T09:30:00.000Z', date: '2026-03-20', uri: 'https://example.com/', url: 'https://example.com/',
  email: 'ada@example.com', uuid: '0195b2f0-6c1a-7e55-9b1c-3f2d8a4c6e10' };

function exampleText(it, name) {
  const noun = /^(.+?)_?ids?$/i.exec(name)?.[1].replace(/[^a-z]/gi, '').toLowerCase();
  const prefix = /^\^([a-z]+)_/.exec(it.pattern ?? '')?.[1] ?? SHORT_NAMES[noun] ?? noun;
  if (FORMATS[it.format]) return FORMATS[it.format];
  if (prefix) return `${prefix}_01jpbz8n4xf5k9w2d7hq3mv6ta`;
  const text = TEXTS.find(([pattern]) => pattern.test(name))?.[1] ?? 'text';
  return text.padEnd(it.minLength ?? 0, '.').slice(0, it.maxLength ?? text.length + (it.minLength ?? 0));
}

/** A value that the schema permits: with `full`, every field of an answer; without, what a request must have. */
function example(schema, full, name = '', above = []) {
  const { it, types, variants, name: component } = view(schema);
  const given = it.examples?.[0] ?? it.example ?? it.const ?? (full && it.default === null ? undefined : it.default) ?? it.enum?.[0];
  if (given !== undefined && !(full && Array.isArray(given))) return given;
  if (above.filter((one) => one === component && component).length || above.length > 12) return types.includes('array') ? [] : {};
  const path = [...above, component];
  if (variants.length) {
    const value = example(variants[0], full, name, path);
    const tagged = Object.entries(it.discriminator?.mapping ?? {}).find(([, target]) => target === variants[0].$ref)?.[0];
    return tagged ? { ...value, [it.discriminator.propertyName]: tagged } : value;
  }
  if (types.includes('array')) return it.items ? [example(it.items, full, name.replace(/s$/, ''), path)] : [];
  if (types.includes('object') || it.properties) {
    const fields = Object.entries(it.properties ?? {});
    let chosen = fields.filter(([field]) => full || it.required?.includes(field));
    // Nothing is required of a change, so show one that changes something.
    if (!chosen.length && !above.length) chosen = fields.filter(([, one]) => !inside(view(one))).slice(0, 1);
    return Object.fromEntries(chosen.map(([field, one]) => [field, example(one, full, field, path)]));
  }
  if (types.includes('boolean')) return true;
  if (types.includes('integer') || types.includes('number')) return /status/i.test(name) ? 400 : it.minimum ?? (it.exclusiveMinimum ?? 0) + 1;
  return types.includes('string') ? exampleText(it, name) : {};
}

const security = () => Object.values(api.components?.securitySchemes ?? {}).find((scheme) => scheme.type === 'apiKey' && scheme.in === 'header');

/** The parts of a request from what the form holds; `fallback` supplies what must not be empty. */
function compose(operation, values, fallback) {
  const of = (one) => values.get(`${one.in}:${one.name}`) || (one.required ? fallback(one) : '');
  const given = (place) => operation.parameters.filter((one) => one.in === place && of(one));
  const path = given('path').reduce((text, one) => text.replace(`{${one.name}}`, encodeURIComponent(of(one))), operation.path);
  const query = new URLSearchParams(given('query').map((one) => [one.name, of(one)])).toString();
  const headers = Object.fromEntries(given('header').map((one) => [one.name, of(one)]));
  const body = operation.body && values.get('body') ? values.get('body') : undefined;
  if (body !== undefined) headers['content-type'] = 'application/json';
  return { path: query ? `${path}?${query}` : path, headers, body, method: operation.method.toUpperCase() };
}

function curl(operation, values) {
  const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const request = compose(operation, values, (one) => String(example(one.schema, false, one.name)));
  const base = new URL(api.servers?.[0]?.url ?? '/', location.origin).href.replace(/\/$/, '');
  const method = request.method === 'GET' ? '' : `-X ${request.method} `;
  return [`curl ${method}${quote(base + request.path)}`,
    security() && `  -H "${security().name}: $API_KEY"`,
    ...Object.entries(request.headers).map(([name, value]) => `  -H ${quote(`${name}: ${value}`)}`),
    request.body !== undefined && `  -d ${quote(request.body)}`].filter(Boolean).join(' \\\n');
}

// --- Trying an operation ----------------------------------------------------------------------------------------

function input(one, changed) {
  const { it, types } = view(one.schema);
  const choices = it.enum ?? (types.includes('boolean') ? [true, false] : null);
  const attributes = { name: `${one.in}:${one.name}`, required: one.required, autocomplete: 'off', spellcheck: 'false' };
  const control = choices
    ? el('select', attributes, el('option', { value: '' }, '–'), choices.map((choice) => el('option', {}, String(choice))))
    : el('input', { ...attributes, type: 'text', placeholder: one.required ? String(example(one.schema, false, one.name)) : false });
  if (one.in === 'path') control.value = entered.get(one.name) ?? '';
  control.addEventListener('input', () => { if (one.in === 'path') entered.set(one.name, control.value); changed(); });
  return el('label', {}, el('span', {}, code(one.name), el('small', {}, one.required ? 'required' : one.in)), control);
}

/** The form that sends the operation to this server, and the curl command that follows what is typed. */
function workbench(operation) {
  const command = panel('Request');
  const output = el('div', { class: 'answer', role: 'status' });
  const body = operation.body && el('textarea', { name: 'body', rows: 10, spellcheck: 'false', autocomplete: 'off' });
  if (body) body.value = JSON.stringify(example(operation.body, false), null, 2);
  const changed = () => { command.text.textContent = curl(operation, new FormData(form)); };
  const scheme = security();
  const key = el('input', { type: 'password', autocomplete: 'off', input: () => sessionStorage.setItem(KEY, key.value) });
  key.value = sessionStorage.getItem(KEY) ?? '';
  const submit = el('button', { type: 'submit', class: 'primary' }, 'Send');
  const send = async (event) => {
    event.preventDefault();
    const { path, ...request } = compose(operation, new FormData(form), () => '');
    if (scheme && key.value) request.headers[scheme.name] = key.value;
    submit.disabled = true;
    output.replaceChildren(el('p', {}, 'Sending…'));
    try {
      const started = performance.now();
      const response = await fetch(path, { ...request, credentials: 'omit', cache: 'no-store', signal: AbortSignal.timeout(60_000) });
      const text = await response.text();
      output.replaceChildren(...answer(response, text, performance.now() - started));
    } catch (error) {
      output.replaceChildren(el('p', { class: 'failed' }, `No answer: ${error.message}`));
    } finally {
      submit.disabled = false;
    }
  };
  const form = el('form', { submit: send },
    scheme && el('label', {}, el('span', {}, code(scheme.name), el('small', {}, 'kept in this tab only')), key),
    operation.parameters.map((one) => input(one, changed)),
    body && el('label', { input: changed }, el('span', {}, 'Body', el('small', {}, 'JSON')), body),
    el('div', { class: 'send' }, submit, operation.method !== 'get' && el('small', {}, 'This changes real data.')));
  changed();
  const bench = el('details', { class: 'try', open: tryOpen, toggle: () => { tryOpen = bench.open; } }, el('summary', {}, 'Try it'), form, output);
  return [command.node, bench];
}

function answer(response, text, took) {
  const shown = SHOWN_HEADERS.filter((name) => response.headers.has(name));
  let nodes = [text];
  try {
    JSON.parse(text);
    if (text.length < 300_000) nodes = jsonNodes(text);
  } catch { /* Not JSON: shown as it came. */ }
  return [
    el('p', { class: 'outcome' }, el('span', { class: `status s${String(response.status)[0]}` }, `${response.status} ${response.statusText}`), ` in ${Math.round(took)} ms`),
    el('dl', {}, shown.map((name) => [el('dt', {}, name), el('dd', {}, response.headers.get(name))])),
    text ? panel('Answer', nodes).node : el('p', {}, 'The answer has no body.'),
  ];
}

// --- The pages --------------------------------------------------------------------------------------------------

const section = (title, ...content) => el('section', {}, el('h2', {}, title), content);

function parameterTable(operation) {
  return ['path', 'query', 'header'].map((place) => {
    const rows = operation.parameters.filter((one) => one.in === place);
    return rows.length > 0 && el('table', {},
      el('caption', {}, { path: 'In the path', query: 'In the query', header: 'In the headers' }[place]),
      el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Parameter'), el('th', { scope: 'col' }, 'Meaning'))),
      el('tbody', {}, rows.map((one) => {
        const shown = view(one.schema);
        return el('tr', {},
          el('th', { scope: 'row' }, code(one.name, 'name'), one.required && el('span', { class: 'required' }, 'required')),
          el('td', {}, el('span', { class: 'type' }, typeName(shown)), notes(shown, one.description)));
      })));
  });
}

function responseList({ raw }) {
  return el('div', { class: 'responses' }, Object.entries(raw.responses ?? {}).map(([status, holder]) => {
    const response = deref(holder);
    const schema = jsonContent(response);
    const line = [el('span', { class: `status s${status[0]}` }, status), ' ', response.description || view(schema).name];
    return schema ? fold(line, () => tree(schema), { open: status[0] === '2' }) : el('p', {}, line);
  }));
}

function operationPage(operation) {
  const { raw, body, webhook } = operation;
  const success = Object.entries(raw.responses ?? {}).find(([status]) => status[0] === '2');
  const answered = success && jsonContent(deref(success[1]));
  const sample = (title, schema) => panel(title, jsonNodes(JSON.stringify(example(schema, true)))).node;
  return el('article', {},
    el('header', {}, el('p', { class: 'group' }, operation.group), el('h1', { tabindex: -1 }, operation.title),
      el('p', { class: 'route' }, badge(operation), ' ', code(operation.path.replaceAll('/', '/\u200b'))),
      el('div', { class: 'lead' }, prose(raw.summary), prose(raw.description), raw.deprecated && el('p', {}, 'Deprecated.'))),
    el('div', { class: 'columns' },
      el('div', { class: 'text' },
        operation.parameters.length > 0 && section('Parameters', parameterTable(operation)),
        body && section(webhook ? 'Payload' : operation.bodyRequired ? 'Body' : 'Body (optional)', tree(body)),
        section(webhook ? 'Your answer' : 'Responses', responseList(operation))),
      el('div', { class: 'bench' },
        webhook ? body && sample('Payload', body) : workbench(operation),
        !webhook && answered && sample(`Response ${success[0]}`, answered))));
}

function overview(missing) {
  const scheme = security();
  const codes = view(view({ $ref: '#/components/schemas/Error' }).it.properties?.code).it.enum ?? [];
  return el('article', {},
    el('header', {}, el('p', { class: 'group' }, `Version ${api.info.version}`), el('h1', { tabindex: -1 }, api.info.title),
      el('div', { class: 'lead' }, missing && el('p', {}, 'There is no operation ', code(missing), '.'), prose(api.info.description))),
    scheme && section('Authentication', el('p', {}, 'Send your API key in the header ', code(scheme.name), ' with every request.')),
    codes.length > 0 && section('Errors', el('p', {}, 'Every error has one of these codes.'),
      el('ul', { class: 'codes' }, codes.map((one) => el('li', {}, el('a', { href: `/errors/${encodeURIComponent(one.toLowerCase())}` }, code(one)))))),
    section('Description', el('p', {}, 'This page is drawn from ', el('a', { href: '/openapi.json' }, 'openapi.json'), ', in OpenAPI ', api.openapi, '.')),
    section('Operations', groups(operations, 'h3', (one) => [badge(one), el('span', {}, one.title), code(one.path)], 'index')));
}

function groups(list, heading, content, kind) {
  return [...new Set(list.map((one) => one.group))].map((group) => el('section', { class: kind },
    el(heading, {}, group),
    el('ul', {}, list.filter((one) => one.group === group).map((one) =>
      el('li', {}, el('a', { href: `#${encodeURIComponent(one.id)}`, 'data-id': one.id }, content(one)))))));
}

const wanted = () => decodeURIComponent(location.hash.slice(1));

function mark() {
  for (const link of byId('nav').querySelectorAll('a')) {
    if (link.dataset.id !== wanted()) link.removeAttribute('aria-current');
    else { link.setAttribute('aria-current', 'page'); link.scrollIntoView({ block: 'nearest' }); }
  }
}

function drawNav() {
  const words = byId('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const list = operations.filter((one) => words.every((word) => one.hint.includes(word)));
  byId('nav').replaceChildren(...(list.length ? groups(list, 'h2', (one) => [el('span', {}, one.title), badge(one)]) : [el('p', {}, 'Nothing found.')]));
  byId('found').textContent = words.length ? `${list.length} found` : '';
  mark();
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
  drawNav();
  show();
  byId('search').addEventListener('input', drawNav);
  byId('search').addEventListener('keydown', (event) => { if (event.key === 'Enter') byId('nav').querySelector('a')?.click(); });
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
