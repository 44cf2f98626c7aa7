// Reports how far a page view has come: totals since it began, so that a report may come late or twice. Nothing is stored without consent.
(() => {
  const doc = document
  const page = doc.currentScript.dataset
  const now = () => performance.now()
  const number = () => [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => (byte % 16).toString(16)).join('')
  let view, began, sent, known, since, what, pause = 1e4

  // Milliseconds in focus, depth, clicks, actions, choices, and whether somebody touched it.
  const begin = () => {
    view = number()
    began = sent = now()
    known = since = 0
    what = { e: 0, s: 0, c: 0, x: [], q: [], k: false }
  }
  const look = () => {
    const at = now()
    if (since) what.e += Math.round(at - since)
    since = 0
    if (doc.hidden) return
    // A visit goes on without a report for half an hour; what comes later is another page view.
    if (at - sent > 18e5) begin()
    if (doc.hasFocus()) since = at
    what.s = Math.max(what.s, Math.min(100, Math.round(100 * (scrollY + innerHeight) / doc.documentElement.scrollHeight)))
  }
  // A page that was never visible was only loaded ahead.
  const send = () => {
    look()
    const news = JSON.stringify(what)
    if (!what.s || news == known) return
    known = news
    sent = now()
    let i
    try {
      if (localStorage['page-consent'] == 'granted') i = localStorage['page-visitor'] ||= number()
    } catch {}
    const body = JSON.stringify({
      v: view, ...page, t: Math.round(sent - began), ...what, w: !!navigator.webdriver, i,
      l: (location.pathname + location.search).slice(0, 999), r: doc.referrer.slice(0, 999),
    })
    const url = '/.pagesmith/v'
    if (!navigator.sendBeacon?.(url, body)) fetch(url, { method: 'POST', body, keepalive: true }).catch(() => {})
  }
  // Each once, and as many as are taken.
  const add = (list, one) => {
    if (one && list.length < 32 && !list.includes(one)) list.push(one)
  }
  const tick = () => {
    setTimeout(() => {
      send()
      pause = Math.min(3e5, pause * 2)
      tick()
    }, pause)
  }

  begin()
  look()
  tick()
  for (const name of ['focus', 'blur', 'scroll']) addEventListener(name, look)
  addEventListener('pagehide', send)
  doc.addEventListener('visibilitychange', send)
  doc.addEventListener('keydown', (event) => { what.k ||= event.isTrusted })
  doc.addEventListener('click', ({ isTrusted, target }) => {
    if (!isTrusted) return
    what.c++
    what.k = true
    add(what.x, target.closest('[data-action]')?.dataset.action)
  }, true)
  doc.addEventListener('change', ({ target }) => add(what.q, target.id.split('ps-choice-')[1]))
})()
