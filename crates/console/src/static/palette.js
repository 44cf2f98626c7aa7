// The palette: what can be done on the screen at hand, and places and things that the server finds. Without script the link to it opens a screen with a search.
'use strict';
(() => {
  const { all, on, one } = window.pagesmith;
  const palette = () => one('#palette');
  let asked = 0, waiting;

  function openPalette() {
    const dialog = palette();
    if (!dialog || dialog.open) return;
    for (const open of all('dialog[open]')) open.close();
    one('#side:popover-open')?.hidePopover();
    dialog.showModal();
    one('#palette-input').select();
    find(one('#palette-input').value);
  }

  // ---- What can be done on the screen at hand

  // How many actions are offered at once.
  const MOST = 100;
  // Buttons, links that look like some, and what opens a form.
  const ACTIONS = 'main :is(button, a.button, a[data-key], .actions a, details:has(form) > summary):not(:disabled, .unseen)';
  // What an action can belong to, and what such a part is called.
  const PARTS = '[data-of], tr, li, section, .card, .version, .block, .line';
  const HEADINGS = 'th[scope=row], strong, h2, h3, legend, bdi, [dir=auto]';

  const folded = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const textOf = (element) => (element.ariaLabel || element.textContent).trim().replace(/\s+/g, ' ').slice(0, 80);

  function partOf(action) {
    for (let part = action.closest(PARTS); part; part = part.parentElement?.closest(PARTS)) {
      if (part.dataset.of) return part.dataset.of;
      const heading = all(HEADINGS, part).find((found) => !found.contains(action) && !action.contains(found) && textOf(found));
      if (heading) return textOf(heading);
    }
    return '';
  }

  // Every action in sight with its name. Those of one name say what they belong to, and are counted where that is the same as well.
  function actions() {
    const found = all(ACTIONS).filter((control) => control.checkVisibility() && textOf(control))
      .map((control) => ({ control, name: textOf(control), part: partOf(control) }));
    const times = new Map(), count = (name) => times.set(name, (times.get(name) ?? 0) + 1).get(name);
    for (const { name } of found) count(name);
    const isShared = new Set([...times].filter(([, many]) => many > 1).map(([name]) => name));
    times.clear();
    return found.map((action) => {
      const { name, part } = action, whole = isShared.has(name) && part ? name + ' · ' + part : name, which = count(whole);
      return { ...action, name: which > 1 ? whole + ' (' + which + ')' : whole };
    });
  }

  function act(control) {
    if (!control.matches('summary')) return control.click();
    control.parentElement.open = true;
    one('input:not([type=hidden]), select, textarea', control.parentElement)?.focus();
  }

  // The actions whose names, or what they belong to, hold every word, as results.
  function doneHere(text) {
    const words = folded(text).split(/\s+/);
    return actions().filter(({ name, part }) => words.every((word) => folded(name + ' ' + part).includes(word)))
      .slice(0, MOST).map(({ control, name }, at) => {
        const option = one('#palette-option').content.firstElementChild.cloneNode(true);
        option.id = 'palette-here-' + at;
        one('.cut', option).textContent = name;
        option.addEventListener('click', (e) => { e.preventDefault(); palette().close(); act(control); });
        return option;
      });
  }

  // ---- What is found

  // What the server finds: options, and how many there are in all. An operator's screens have nothing to find but themselves.
  async function found(text, here) {
    const { from } = palette().dataset;
    if (from === undefined) return { options: [], note: '' };
    const url = new URL(from, location.href);
    url.searchParams.set('q', text);
    url.searchParams.set('here', here);
    try {
      const answer = await fetch(url, { headers: { 'HX-Request': 'true' } });
      if (!answer.ok || answer.redirected) throw new Error(answer.status);
      const drawn = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const options = all('[role=option]', drawn).map((option) => document.adoptNode(option));
      return { options, note: one('[data-note]', drawn)?.dataset.note ?? '' };
    } catch {
      return { options: [], note: document.body.dataset.failed };
    }
  }

  async function find(text) {
    const number = ++asked, list = one('#palette-results'), here = doneHere(text);
    list.ariaBusy = 'true';
    const { options, note } = await found(text, here.length);
    // An earlier answer may come after a later one.
    if (number !== asked) return;
    list.replaceChildren(...here, ...options);
    list.removeAttribute('aria-busy');
    one('#palette-note').textContent = note;
    one('#palette-input').setAttribute('aria-expanded', String(list.childElementCount > 0));
    choose(0);
  }

  function choose(at) {
    const options = all('#palette-results [role=option]'), input = one('#palette-input');
    options.forEach((option, index) => option.setAttribute('aria-selected', String(index === at)));
    if (options[at]) {
      input.setAttribute('aria-activedescendant', options[at].id);
      options[at].scrollIntoView({ block: 'nearest' });
    } else input.removeAttribute('aria-activedescendant');
  }

  on('input', '#palette-input', (input) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => find(input.value), 120);
  });
  on('keydown', '#palette-input', (input, e) => {
    if (e.isComposing) return;
    const options = all('#palette-results [role=option]');
    const at = options.findIndex((option) => option.getAttribute('aria-selected') === 'true');
    const to = { ArrowDown: (at + 1) % options.length, ArrowUp: (at - 1 + options.length) % options.length }[e.key];
    if (to !== undefined && options.length) {
      e.preventDefault();
      choose(to);
    } else if (e.key === 'Enter' && options[at]) {
      e.preventDefault();
      options[at].click();
    }
  });
  on('click', '[data-palette-open]', (link, e) => {
    if (e.button || e.ctrlKey || e.metaKey || e.shiftKey || !palette()) return;
    e.preventDefault();
    openPalette();
  });

  document.addEventListener('keydown', (e) => {
    if ((e.ctrlKey || e.metaKey) && !e.altKey && !e.shiftKey && e.key.toLowerCase() === 'k' && palette()) {
      e.preventDefault();
      if (palette().open) palette().close(); else openPalette();
    }
  });
})();
