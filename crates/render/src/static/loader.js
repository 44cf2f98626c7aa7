// Sets a page's own scripts free: at once, or when the visitor agrees.
(() => {
  const doc = document
  const held = 'held' in doc.documentElement.dataset
  const key = 'page-consent'
  const recall = () => {
    try { return localStorage.getItem(key) } catch { return null }
  }
  // Page links then lead this visitor to the same target for as long as the cookie is kept.
  const remember = (agreed) => {
    try {
      const id = agreed && (localStorage['page-visitor'] ||= crypto.randomUUID().replaceAll('-', ''))
      if (!agreed) localStorage.removeItem('page-visitor')
      const secure = location.protocol === 'https:' ? ';secure' : ''
      doc.cookie = `page-visitor=${id || ''};path=/;samesite=lax;max-age=${agreed ? 34e6 : 0}${secure}`
    } catch { /* nothing is kept then */ }
  }
  const signal = function () { dataLayer.push(arguments) }
  const tell = (how, state) => signal('consent', how, {
    ad_storage: state, ad_user_data: state, ad_personalization: state, analytics_storage: state,
  })

  // A script with an address holds back those after it, as it would have in the document.
  const free = async (template) => {
    for (const kept of template.content.children) {
      const live = doc.createElement(kept.localName)
      for (const { name, value } of kept.attributes) if (name !== 'data-code') live.setAttribute(name, value)
      if (kept.dataset.code) live.textContent = kept.dataset.code
      const waits = live.localName === 'script' && live.src && !live.noModule && live.type !== 'module' &&
        !live.hasAttribute('async') && !live.hasAttribute('defer')
      const done = waits && new Promise((go) => { live.onload = live.onerror = go })
      template.before(live)
      if (done) await done
    }
    template.remove()
  }
  const ready = new Promise((go) => {
    if (doc.readyState === 'loading') doc.addEventListener('DOMContentLoaded', go)
    else go()
  })
  const run = async () => {
    for (const template of doc.head.querySelectorAll('template[data-scripts]')) await free(template)
    await ready
    for (const template of doc.querySelectorAll('template[data-scripts]')) await free(template)
  }

  if (!held) return run()
  window.dataLayer = window.dataLayer || []
  tell('default', 'denied')
  const agree = () => { tell('update', 'granted'); remember(true); return run() }
  if (recall() === 'granted') agree()

  ready.then(() => {
    const ask = doc.querySelector('[data-consent]')
    const change = doc.querySelector('[data-change]')
    const show = (asking) => { ask.hidden = !asking; change.hidden = asking }
    show(!recall())
    change.onclick = () => { show(true); ask.querySelector('h2').focus() }
    ask.onclick = ({ target }) => {
      const choice = target.dataset.choose
      if (!choice) return
      const before = recall()
      try { localStorage.setItem(key, choice) } catch { /* asked again next time */ }
      show(false)
      change.focus({ preventScroll: true })
      if (choice === before) return
      if (choice === 'granted') return agree()
      tell('update', 'denied')
      remember(false)
      // What runs cannot be stopped; a page without it can be loaded.
      if (before) location.reload()
    }
  })
})()
