// A request as it is sent, and as samples: curl, JavaScript for Node and Python with its standard library.

import { description, keyHeader } from '/docs/description.js';
import { layout } from '/docs/elements.js';

/** The languages of samples, with what each needs. */
export const LANGUAGES = [
  { id: 'curl', name: 'curl', needs: 'Put your key into the environment variable API_KEY.' },
  { id: 'javascript', name: 'JavaScript', needs: 'For Node 18 or newer, as a module. Put your key into the environment variable API_KEY.' },
  { id: 'python', name: 'Python', needs: 'Needs only the standard library. Put your key into the environment variable API_KEY.' },
];

/** The name of a file in samples while none is chosen. */
const EXAMPLE_FILE = 'price-list.pdf';

/** The parts of a request from what a form holds: pairs of `in:name` and value, and the body, a text or a file. */
export function compose({ path, method, parameters, body: takes }, values) {
  const of = (one) => values.get(`${one.in}:${one.name}`) || (one.in === 'path' ? String(one.example) : '');
  const given = (where) => parameters.filter((one) => one.in === where && of(one)).map((one) => [one.name, of(one)]);
  const query = new URLSearchParams(given('query')).toString();
  const steps = given('path').reduce((text, [name, value]) => text.replace(`{${name}}`, () => encodeURIComponent(value)), path);
  const chosen = values.get('body') || undefined;
  // A form has a file without a name where none is chosen. Any bytes will do then.
  const body = takes?.isFile && !chosen?.name ? new File(['Example'], EXAMPLE_FILE) : chosen;
  const headers = Object.fromEntries([...given('header'), ...(body ? [['content-type', takes.type]] : [])]);
  return { url: query ? `${steps}?${query}` : steps, headers, body, method: method.toUpperCase() };
}

/** The sample of a request in a language. */
export function sample(language, request) {
  const base = new URL(description.api.servers?.[0]?.url ?? '/', location.origin).href.replace(/\/$/, '');
  return { curl, javascript, python }[language]({ ...request, url: base + request.url, isJson: isJson(request.body) });
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch { return false; }
}

const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function curl({ url, headers, body, method }) {
  const value = body instanceof File ? `--data-binary ${quote(`@${body.name}`)}` : body && `-d ${quote(body)}`;
  const sent = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  const start = method === 'GET' ? `curl ${quote(url)}` : `curl -X ${method} ${quote(url)}`;
  return [start, `-H "${keyHeader()}: $API_KEY"`, ...sent, value].filter(Boolean).join(' \\\n  ');
}

/** The JSON of a body, indented as a part of a program, with each token written by `write`. */
const literal = (body, step, from, write = ({ token }) => token) =>
  layout(body, step, from).map((part) => write(part) + part.after).join('');

function javascript({ url, headers, body, method, isJson: structured }) {
  const sent = [`${JSON.stringify(keyHeader())}: process.env.API_KEY`,
    ...Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)];
  const options = [
    method !== 'GET' && `method: ${JSON.stringify(method)}`,
    `headers: {\n    ${sent.join(',\n    ')},\n  }`,
    body && `body: ${body instanceof File ? `await readFile(${JSON.stringify(body.name)})` : structured ? `JSON.stringify(${literal(body, 2, 2)})` : JSON.stringify(body)}`,
  ].filter(Boolean);
  const imports = body instanceof File ? "const { readFile } = await import('node:fs/promises');\n\n" : '';
  return `${imports}const response = await fetch(${JSON.stringify(url)}, {\n  ${options.join(',\n  ')},\n});\n`
    + 'console.log(response.status, await response.json());';
}

const PYTHON_WORDS = { true: 'True', false: 'False', null: 'None' };
// A JSON text with the escapes that it needs is a text of Python too.
const pythonToken = ({ token, kind }) => (kind === 'literal' ? PYTHON_WORDS[token] ?? token
  : kind === 'mark' ? token : JSON.stringify(JSON.parse(token)));

function python({ url, headers, body, method, isJson: structured }) {
  const sent = [`${JSON.stringify(keyHeader())}: os.environ["API_KEY"]`,
    ...Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)];
  const text = structured ? `json.dumps(${literal(body, 4, 4, pythonToken)})` : JSON.stringify(body);
  const content = body instanceof File ? `pathlib.Path(${JSON.stringify(body.name)}).read_bytes()` : `${text}.encode()`;
  const modules = ['json', 'os', body instanceof File && 'pathlib', 'urllib.request'].filter(Boolean);
  const parts = [
    JSON.stringify(url),
    method !== 'GET' && `method=${JSON.stringify(method)}`,
    `headers={\n        ${sent.join(',\n        ')},\n    }`,
    body && `data=${content}`,
  ].filter(Boolean);
  return `${modules.map((name) => `import ${name}\n`).join('')}\nrequest = urllib.request.Request(\n    ${parts.join(',\n    ')},\n)\n`
    + 'with urllib.request.urlopen(request) as response:\n    print(response.status, json.load(response))';
}
