// What makes the console handier where there is script: keys, dialogs, messages, live parts. The palette is a file beside it.
// Every screen is complete without it. It listens at the document, so that what is drawn later works as well.
// No inline style, handler or evaluated text: the console's policy allows none.
'use strict';
(() => {
  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const on = (event, selector, act) =>
    document.addEventListener(event, (e) => {
      const found = e.target.closest?.(selector);
      if (found) act(found, e);
    });
  const language = document.documentElement.lang;
  const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

  // ---- What is improved where it stands; called again for whatever is drawn later.

  function improve(root) {
    if (isMac) for (const key of all('kbd[data-mod]', root)) key.textContent = key.dataset.mod ? '⌘ ' + key.dataset.mod : '⌘';
    // Points in time are told in UTC until here.
    for (const time of all('time[data-local], time[data-title]', root)) {
      const text = new Date(time.dateTime).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
      if ('local' in time.dataset) time.textContent = text;
      else time.title = text;
    }
    // So are the times that are entered; the form says in which zone. What the form came with stays in its own.
    for (const zone of all('input[name=zone][value=UTC]', root)) {
      const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
      if (!own || all('[type=datetime-local]', zone.form).some((field) => field.defaultValue)) continue;
      for (const help of all('.help', zone.form)) help.textContent = help.textContent.replace(zone.value, own);
      zone.value = own;
    }
    for (const code of all('[data-copy]', root)) offerCopy(code);
    for (const input of all('[data-typed]', root)) awaitTyping(input);
    for (const form of all('.bulk', root)) countSelected(form);
    // The newest message is the one that was waited for.
    for (const list of all('.messages', root)) list.scrollTop = list.scrollHeight;
    for (const row of all('block-order .block:has(form)', root)) row.draggable = true;
  }

  function offerCopy(code) {
    if (!navigator.clipboard || one('button', code)) return;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button';
    button.textContent = code.dataset.copy;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(one('code', code).textContent);
      button.textContent = code.dataset.copied;
      setTimeout(() => { button.textContent = code.dataset.copy; }, 2000);
    });
    code.append(button);
  }

  // ---- Messages

  function say(text, outcome = 'done') {
    const toast = document.createElement('div');
    toast.className = 'toast ' + outcome;
    const line = document.createElement('p');
    line.textContent = text;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button quiet';
    button.dataset.dismiss = '';
    button.textContent = document.body.dataset.dismiss;
    toast.append(line, button);
    one('#toasts')?.append(toast);
  }
  const failed = () => say(document.body.dataset.failed, 'failed');
  // Says what an answer tells of a failure.
  function tell(answer) {
    const toast = one('.toast.failed p', new DOMParser().parseFromString(answer, 'text/html'));
    if (toast) say(toast.textContent, 'failed');
    else failed();
  }

  class ToastRegion extends HTMLElement {
    connectedCallback() {
      // A region tells what changes after it is there, so that messages of the screen itself are put in anew.
      improve(this);
      const waiting = [...this.children];
      this.replaceChildren();
      setTimeout(() => this.append(...waiting), 100);
      this.observer = new MutationObserver((changes) => {
        for (const change of changes) for (const toast of change.addedNodes) this.count(toast);
      });
      this.observer.observe(this, { childList: true });
    }
    disconnectedCallback() { this.observer?.disconnect(); }
    // A message goes by itself, unless it offers something, reports a failure, or is being looked at.
    count(toast) {
      if (!toast.matches?.('.toast:not([data-stays], .failed)')) return;
      const go = () => (toast.matches(':hover, :focus-within') ? setTimeout(go, 2000) : toast.remove());
      setTimeout(go, 8000);
    }
  }
  customElements.define('toast-region', ToastRegion);
  on('click', '.toast [data-dismiss]', (button) => button.closest('.toast').remove());

  // ---- Menus and dialogs

  document.addEventListener('click', (e) => {
    for (const menu of all('details.menu[open]')) if (!menu.contains(e.target)) menu.open = false;
  });
  const closeMenu = (menu) => { if (menu?.open) { menu.open = false; one('summary', menu).focus(); } };

  async function openDialog(link) {
    const answer = await fetch(link.href, { headers: { accept: 'text/html' } });
    const content = answer.ok && one('[data-dialog]', new DOMParser().parseFromString(await answer.text(), 'text/html'));
    if (!content) throw new Error('no dialog');
    const dialog = document.createElement('dialog');
    dialog.setAttribute('aria-labelledby', 'question-title');
    dialog.append(document.adoptNode(content));
    dialog.addEventListener('close', () => { dialog.remove(); if (link.isConnected) link.focus(); });
    document.body.append(dialog);
    improve(dialog);
    dialog.showModal();
  }
  on('click', 'a[data-dialog-open]', (link, e) => {
    if (e.button || e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault();
    openDialog(link).catch(() => location.assign(link.href));
  });
  on('click', 'dialog [data-close]', (link, e) => { e.preventDefault(); link.closest('dialog').close(); });
  // A click beside a dialog is a click on the dialog itself, for its backdrop is a part of it.
  document.addEventListener('click', (e) => {
    if (!(e.target instanceof HTMLDialogElement)) return;
    const box = e.target.getBoundingClientRect();
    if (e.clientX < box.left || e.clientX > box.right || e.clientY < box.top || e.clientY > box.bottom) e.target.close();
  });

  function awaitTyping(input) {
    const button = one('button[type=submit]', input.form);
    const look = () => { button.disabled = input.value.trim() !== input.dataset.typed.trim(); };
    input.addEventListener('input', look);
    look();
  }

  // A link in a summary of errors leads into the field.
  on('click', '.summary a[href^="#"]', (link, e) => {
    const field = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (!field) return;
    e.preventDefault();
    (one('input, select, textarea', field) ?? field).focus();
  });
  // A form is sent once, and can be again when the screen is come back to.
  document.addEventListener('submit', (e) => {
    if (e.defaultPrevented || e.target.getAttribute('method') !== 'post') return;
    setTimeout(() => { for (const button of all('button[type=submit]', e.target)) button.disabled = true; });
  });
  addEventListener('pageshow', (e) => {
    if (e.persisted) for (const button of all('form[method=post] button:disabled')) button.disabled = false;
  });

  // ---- Selected rows

  // A form's own properties are hidden by controls of the same name, such as the boxes of rows; its attributes are not.
  const idOf = (form) => form.getAttribute('id');
  const boxesOf = (form) => all(`input[name=id][form="${idOf(form)}"]`);

  function countSelected(form) {
    const boxes = boxesOf(form), selected = boxes.filter((box) => box.checked).length;
    form.toggleAttribute('data-some', selected > 0);
    const count = one('.bulk-count', form);
    count.textContent = selected.toLocaleString(language) + ' ' + count.dataset.selected;
    const every = one(`[data-select-all="${idOf(form)}"]`);
    if (every) {
      every.checked = selected > 0 && selected === boxes.length;
      every.indeterminate = selected > 0 && selected < boxes.length;
    }
  }
  on('change', '[data-select-all]', (every) => {
    const form = document.getElementById(every.dataset.selectAll);
    for (const box of boxesOf(form)) box.checked = every.checked;
    countSelected(form);
  });
  on('change', 'input[name=id][form]', (box) => countSelected(box.form));

  // ---- Keys. Those of a single character can be turned off.

  const stored = (value) => {
    try {
      if (value === undefined) return localStorage.getItem('console-keys') !== 'off';
      localStorage.setItem('console-keys', value ? 'on' : 'off');
    } catch { /* A browser may keep nothing; then the keys are on. */ }
    return true;
  };
  let before = '', beforeTimer;

  function openKeys() {
    one('[data-keys-on]').checked = stored();
    one('#keys').showModal();
  }
  on('click', '[data-keys-open]', (button) => { closeMenu(button.closest('.menu')); openKeys(); });
  on('change', '[data-keys-on]', (box) => stored(box.checked));

  function press(key) {
    const target = one(`[data-key="${CSS.escape(key)}"]`);
    if (target instanceof HTMLInputElement) { target.focus(); target.select(); } else target?.click();
    return Boolean(target);
  }

  function moveRow(step) {
    // A row that leads nowhere has a box, if it can be chosen.
    const rows = all('.rows tbody tr').map((row) => one('.row-link, input[name=id]', row)).filter(Boolean);
    const at = rows.findIndex((control) => control.closest('tr').contains(document.activeElement));
    const to = at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step;
    rows[to]?.focus();
    return rows.length > 0;
  }

  document.addEventListener('keydown', (e) => {
    if (e.key === 'Escape') return closeMenu(document.activeElement?.closest('details.menu'));
    // A dialog that was just closed has the focus until the browser draws again.
    const isTyping = !e.target.closest?.('dialog:not([open])')
      && e.target.closest?.('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]');
    if (isTyping || e.ctrlKey || e.metaKey || e.altKey || e.isComposing || e.key.length !== 1 || one('dialog[open]') || !stored()) return;
    const key = before ? before + ' ' + e.key : e.key;
    before = '';
    clearTimeout(beforeTimer);
    let isDone = true;
    if (key === 'g') {
      before = key;
      beforeTimer = setTimeout(() => { before = ''; }, 1500);
    } else if (key === '?' && one('#keys')) openKeys();
    else if (key === 'j' || key === 'k') isDone = moveRow(key === 'j' ? 1 : -1);
    else if (key === 'x') {
      const box = one('input[name=id]', document.activeElement.closest('tr') ?? document.createElement('p'));
      box?.click();
      isDone = Boolean(box);
    } else isDone = press(key);
    if (isDone) e.preventDefault();
  });

  // ---- Live parts

  const streams = new Map();

  // One connection for all parts that follow the same events; none while nobody looks.
  function follow(url, event, act) {
    let stream = streams.get(url);
    if (!stream) streams.set(url, (stream = { source: new EventSource(url), users: 0 }));
    stream.users += 1;
    stream.source.addEventListener(event, act);
    return () => {
      stream.source.removeEventListener(event, act);
      stream.users -= 1;
      if (!stream.users) { stream.source.close(); streams.delete(url); }
    };
  }

  class LivePart extends HTMLElement {
    static observedAttributes = ['data-events'];
    // Drawn again, a part may follow something else: what is written next, or nothing any more.
    attributeChangedCallback(name, before, after) {
      if (!this.seen || before === after) return;
      this.rest();
      if (!document.hidden) this.start(false);
    }
    connectedCallback() {
      this.seen = () => (document.hidden ? this.rest() : this.start(true));
      this.left = () => setTimeout(() => this.isLate && this.refresh());
      document.addEventListener('visibilitychange', this.seen);
      this.addEventListener('focusout', this.left);
      if (!document.hidden) this.start(false);
    }
    disconnectedCallback() {
      document.removeEventListener('visibilitychange', this.seen);
      this.removeEventListener('focusout', this.left);
      this.rest();
    }
    start(hasMissed) {
      if (!this.stop && this.dataset.events) this.stop = follow(this.dataset.events, this.dataset.event, () => this.refresh());
      if (hasMissed) this.refresh();
    }
    rest() { this.stop?.(); this.stop = null; }
    // What somebody is writing in is not taken from under their hands.
    isWrittenIn() { return this.querySelector('input:focus, textarea:focus, select:focus, details.menu[open]'); }
    // Ends when all is drawn that was asked for until then, so that whoever waits for it may set the focus.
    refresh() {
      this.isLate = true;
      // Nothing is asked for twice at a time.
      return (this.drawing ??= this.draw().finally(() => { this.drawing = null; }));
    }
    async draw() {
      while (this.isLate && this.isConnected && !this.isWrittenIn()) {
        this.isLate = false;
        await htmx.ajax('GET', this.dataset.content || location.href, { source: this, target: this, swap: 'outerMorph', select: '#' + CSS.escape(this.id) });
        // What somebody has opened or closed stays so.
        const drawn = all('details', this);
        if (drawn.length === this.opened?.length) drawn.forEach((one, at) => { one.open = this.opened[at]; });
      }
    }
  }

  // ---- Blocks of a draft

  const dirty = () => one('form[data-unsaved][data-dirty]');
  on('input', 'form[data-unsaved]', (form) => form.toggleAttribute('data-dirty', true));
  document.addEventListener('submit', (e) => e.target.removeAttribute('data-dirty'));
  addEventListener('beforeunload', (e) => { if (dirty()) e.preventDefault(); });

  // The previews that this screen shows, each with its origin. Nobody else is listened to.
  const previews = () => all('.preview iframe').map((frame) => ({ frame, origin: new URL(frame.src).origin }));
  addEventListener('message', (e) => {
    const preview = previews().find(({ frame, origin }) => frame.contentWindow === e.source && origin === e.origin);
    if (!preview || typeof e.data !== 'object') return;
    const { ready, selected, text } = e.data ?? {};
    if (ready) {
      const shown = preview.frame.closest('[data-shows]')?.dataset.shows;
      if (shown) e.source.postMessage({ show: shown }, e.origin);
      return;
    }
    // Only blocks of this page can be selected.
    const link = all('[data-block]').find((row) => row.dataset.block === selected)?.querySelector('a');
    if (!link || link.matches('[aria-current]')) return;
    if (dirty()) return say(dirty().dataset.unsaved, 'failed');
    const url = new URL(link.href);
    if (typeof text === 'string') url.searchParams.set('element', text.slice(0, 500));
    location.assign(url);
  });

  // What is done in the list is done without leaving it, and the row keeps the focus.
  class BlockOrder extends HTMLElement {
    connectedCallback() {
      this.addEventListener('submit', (e) => {
        e.preventDefault();
        this.send(e.target, e.submitter);
      });
      this.addEventListener('keydown', (e) => {
        const sign = e.altKey && { ArrowUp: '↑', ArrowDown: '↓' }[e.key];
        const button = sign && e.target.closest('.block')?.querySelector(`[data-act="${sign}"]`);
        if (!sign) return;
        e.preventDefault();
        if (button) this.send(button.form, button);
      });
      this.addEventListener('dragstart', (e) => {
        this.moved = e.target.closest('.block');
        e.dataTransfer.effectAllowed = 'move';
        e.dataTransfer.setData('text/plain', '');
      });
      this.addEventListener('dragover', (e) => {
        if (!this.moved) return;
        e.preventDefault();
        this.mark(e.target.closest('.block'));
      });
      this.addEventListener('dragend', () => { this.moved = null; this.mark(null); });
      this.addEventListener('drop', (e) => {
        e.preventDefault();
        const target = e.target.closest('.block'), { moved } = this;
        if (!moved || !target || target === moved) return;
        // It takes the target's place: going up, before it; going down, behind it.
        const rows = all('.block', this), isDown = rows.indexOf(moved) < rows.indexOf(target);
        const before = isDown ? target : rows[rows.indexOf(target) - 1];
        this.send(one('form', moved), null, before?.dataset.block ?? '');
      });
    }
    mark(target) { for (const row of all('.block', this)) row.classList.toggle('target', row === target && row !== this.moved); }
    // One after the other: each says what stands there when the one before is drawn.
    send(form, button, to) { this.sending = Promise.resolve(this.sending).then(() => this.carryOut(form, button, to)); }
    async carryOut(form, button, to) {
      if (!form.isConnected) return;
      this.isBusy = true;
      const body = new URLSearchParams(new FormData(form));
      if (button?.name) body.set(button.name, button.value);
      if (to !== undefined) body.set('to', to);
      const { block } = form.closest('.block').dataset, act = button?.dataset.act;
      try {
        // Where it leads is not asked for: the part is drawn again anyway.
        const answer = await fetch(button?.formAction || form.action, { method: 'POST', body, redirect: 'manual' });
        if (answer.type !== 'opaqueredirect') tell(await answer.text());
        await this.closest('live-part').refresh();
      } catch { failed(); } finally { this.isBusy = false; }
      const row = all('.block', document).find((row) => row.dataset.block === block);
      (one(`[data-act="${act}"]`, row ?? document.body) ?? one('a', row ?? this))?.focus();
    }
  }

  // ---- What htmx fetches

  document.addEventListener('htmx:before:swap', (e) => {
    const { ctx } = e.detail;
    const status = ctx.response?.status ?? ctx.response?.raw?.status ?? 200;
    const id = ctx.select?.startsWith('#') && ctx.select.slice(1);
    const isThere = !id || one(`[id="${CSS.escape(id)}"]`, new DOMParser().parseFromString(ctx.text, 'text/html'));
    if (status < 400 && isThere) {
      const part = ctx.sourceElement;
      if (part?.matches?.('live-part')) part.opened = all('details', part).map((details) => details.open);
      return;
    }
    if (!id) return;
    // An answer without the part, such as the screen to sign in on, does not replace it.
    e.preventDefault();
    if (ctx.sourceElement?.matches?.('live-part')) { ctx.sourceElement.rest(); return; }
    if (status < 400) location.assign(ctx.request.action);
    else failed();
  });
  document.addEventListener('htmx:error', failed);
  document.addEventListener('htmx:before:request', (e) => {
    const menu = e.target.closest?.('details.menu');
    if (menu) menu.open = false;
  });
  document.addEventListener('htmx:after:swap', (e) => improve(e.detail.ctx.target?.isConnected ? e.detail.ctx.target : document));

  improve(document);
  customElements.define('live-part', LivePart);
  customElements.define('block-order', BlockOrder);

  // For the other scripts.
  window.pagesmith = { all, failed, improve, on, one, tell };
})();
