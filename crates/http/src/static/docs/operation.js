// The page of an operation, and that of an event.

import { deref, exampleText, json, tagId } from '/docs/description.js';
import { badge, choice, code, copyButton, el, fold, head, jsonNodes, mustBe, panel, prose, section, statusText } from '/docs/elements.js';
import { guideLink } from '/docs/guides.js';
import { notes, tree, typeName, view } from '/docs/schema.js';
import { workbench } from '/docs/workbench.js';

const WHERE = { path: 'In the path', query: 'In the query', header: 'In the headers' };

/** The page of an operation or an event. */
export function operationPage(operation) {
  const { raw, body, event, tag } = operation;
  const path = code(operation.path);
  const route = el('p', { class: 'route' }, badge(operation), !event && [path, copyButton(path, 'the path')]);
  return el('article', { class: 'columns' },
    head(el('a', { href: `#${tagId(tag)}` }, tag), operation.title, route,
      el('div', { class: 'lead' }, prose(raw.summary), prose(raw.description), raw.deprecated && el('p', {}, 'Deprecated.'))),
    el('div', { class: 'bench' }, event ? delivery(operation) : [workbench(operation), el('h2', {}, 'Example responses'), examples(operation)]),
    el('div', { class: 'text' },
      operation.parameters.length > 0 && section(event ? 'Headers' : 'Parameters', parameterTables(operation)),
      body && section(event ? 'Payload' : raw.requestBody.required ? 'Body' : 'Body (optional)', tree(body.schema)),
      section(event ? 'Your answer' : 'Responses', responseList(operation)),
      event && section('Read more', el('p', {}, guideLink('Webhook Events')), el('p', {}, guideLink('Webhook Subscriptions')))));
}

function parameterTables({ parameters, event }) {
  return Object.keys(WHERE).map((where) => [where, parameters.filter((one) => one.in === where)]).map(([where, list]) =>
    list.length > 0 && el('table', {},
      el('caption', { class: event && 'hidden' }, WHERE[where]),
      el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Parameter'), el('th', { scope: 'col' }, 'Meaning'))),
      el('tbody', {}, list.map((one) => el('tr', {},
        el('th', { scope: 'row' }, code(one.name, 'name'), one.required && !event && mustBe()),
        el('td', {}, el('span', { class: 'type' }, typeName(view(one.schema))), notes(view(one.schema), one.description),
          el('p', { class: 'limits' }, el('span', {}, 'example ', code(String(one.example))), !event && guideLink(one.name))))))));
}

/** Every status with its headers and its body, and what they mean. */
function responseList({ raw }) {
  return el('div', { class: 'responses' }, Object.entries(raw.responses).map(([status, response]) => {
    const { description, headers = {} } = deref(response);
    const schema = json(response)?.schema;
    const line = [statusText(status), ' ', el('span', {}, prose(description).flatMap((part) => [...part.childNodes]))];
    const header = ([name, one]) => [el('dt', {}, code(name, 'name')),
      el('dd', {}, prose(deref(one).description), el('p', { class: 'limits' }, 'example ', code(String(deref(one).example))))];
    const inside = () => [
      schema && tree(schema),
      Object.keys(headers).length > 0 && fold(`${Object.keys(headers).length} headers`,
        () => el('dl', { class: 'headers' }, Object.entries(headers).map(header)), { class: 'nest' }),
    ];
    return schema || Object.keys(headers).length ? fold(line, inside, { open: status[0] === '2' }) : el('p', {}, line);
  }));
}

/** The example of every status, one at a time. */
function examples({ raw }) {
  const statuses = Object.keys(raw.responses);
  const chosen = statuses.find((status) => status[0] === '2') ?? statuses[0];
  const content = (status) => {
    const example = json(raw.responses[status]);
    return example ? jsonNodes(exampleText(example)).flat(Infinity).filter(Boolean) : ['This response has no body.'];
  };
  const choose = (status) => shown.querySelector('pre code').replaceChildren(...content(status));
  const list = choice('Status of the example response', statuses.map((status) => [status, statusText(status)]), chosen, choose);
  const shown = panel(list, content(chosen), 'Example response');
  return shown;
}

/** A delivery of an event, as its receiver gets it. */
function delivery({ parameters, body }) {
  const headers = [['content-type', 'application/json'], ...parameters.map((one) => [one.name, one.example])];
  const lines = headers.map(([name, value]) => [el('span', { class: 'key' }, name), ': ', el('span', { class: 'string' }, value), '\n']);
  return [panel('Delivery', ['POST ', el('span', { class: 'comment' }, 'the URL of the subscription'), '\n', lines, '\n', jsonNodes(exampleText(body))])];
}
