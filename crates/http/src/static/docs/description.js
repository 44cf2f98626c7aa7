// The OpenAPI document: what it holds, and where its references lead.

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The document, and its operations and events in the order of their tags. */
export const description = { api: {}, operations: [] };

/** Fetches the document. */
export async function load() {
  const response = await fetch('/openapi.json');
  if (!response.ok) throw new Error(`status ${response.status}`);
  description.api = await response.json();
  description.operations = operations();
}

/** What a local reference points to. */
export function deref(value = {}) {
  for (let hops = 0; value.$ref && hops < 20; hops += 1) {
    const { $ref, ...beside } = value;
    const steps = decodeURIComponent($ref).split('/').slice(1).map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'));
    value = { ...steps.reduce((found, step) => found?.[step], description.api), ...beside };
  }
  return value;
}

/** The JSON of a body or a response: its schema and its example. */
export const json = (holder) => Object.entries(deref(holder).content ?? {}).find(([type]) => /json/.test(type))?.[1];
/** An example as text. */
export const exampleText = ({ example }) => JSON.stringify(example, null, 2);
/** The body of a request: JSON with its schema and example, or a file. */
function bodyOf(holder) {
  const all = Object.entries(deref(holder).content ?? {});
  const [type, content] = all.find(([type]) => /json/.test(type)) ?? all[0] ?? [];
  return content && { ...content, type, isFile: content.schema.format === 'binary' };
}
/** The name of the header that carries the key. */
export const keyHeader = () =>
  Object.values(description.api.components?.securitySchemes ?? {}).find((scheme) => scheme.in === 'header')?.name;
/** The id of a tag's page. */
export const tagId = (name) => `tag/${name.toLowerCase().replaceAll(' ', '-')}`;
/** A name as words: `createPage` is `Create page`. */
const words = (id) => id.replace(/([a-z0-9])([A-Z])/g, (_, end, start) => `${end} ${start.toLowerCase()}`);

function operations() {
  const read = (items, event) => Object.entries(items ?? {}).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const raw = item[method];
      const id = event ? path : raw.operationId;
      const title = event ? path : words(id)[0].toUpperCase() + words(id).slice(1);
      const parameters = [...(item.parameters ?? []), ...(raw.parameters ?? [])].map((one) => deref(one));
      return { id, title, path, event, raw, parameters, tag: raw.tags[0], method: event ? 'event' : method, body: bodyOf(raw.requestBody) };
    }));
  const { paths, webhooks, tags } = description.api;
  const order = tags.map((tag) => tag.name);
  return [...read(paths, false), ...read(webhooks, true)].sort((a, b) => order.indexOf(a.tag) - order.indexOf(b.tag));
}

/** Every tag with its operations. */
export function tags() {
  const { api, operations: all } = description;
  return api.tags.map((tag) => ({ ...tag, id: tagId(tag.name), operations: all.filter((one) => one.tag === tag.name) }));
}
