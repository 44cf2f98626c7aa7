// Schemas as lists of fields. They are looked up when they are opened, so they may refer to themselves.

import { deref } from '/docs/description.js';
import { code, el, fold, mustBe, prose } from '/docs/elements.js';

/** A schema as the page shows it: references followed, `null` told apart from the variants. */
export function view(schema, depth = 0) {
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

export function typeName({ it, types, variants }, depth = 0) {
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
export function notes(shown, text = shown.it.description) {
  const bounds = limits(shown);
  const values = shown.it.enum ?? (shown.types.includes('array') ? view(shown.it.items).it.enum : undefined);
  const list = values && el('ul', { class: 'values', 'aria-label': 'Permitted values' },
    values.map((value) => el('li', {}, code(String(value)))));
  return [...prose(text), bounds.length > 0 && el('p', { class: 'limits' }, bounds), list].filter(Boolean);
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
export function tree(schema) {
  const shown = view(schema);
  const kind = [typeName(shown), shown.name && [' ', code(shown.name)], shown.nullable && ' or null'];
  return el('div', { class: 'tree' }, el('p', { class: 'type' }, kind), notes(shown), inside(shown) && inside(shown).build());
}
