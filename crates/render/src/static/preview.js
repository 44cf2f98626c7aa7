// A preview in a frame of the console: a click tells the console which block it was in, and the console shows one.
(() => {
  const { console: origin, blocks } = document.currentScript.dataset
  if (parent === self) return
  // The console says which version it is, and its links are made anew each time.
  document.querySelector('.preview')?.remove()
  const known = JSON.parse(blocks)
  addEventListener('click', (e) => {
    const section = e.target.closest?.('main > section')
    if (!section || !Object.hasOwn(known, section.id)) return
    // A link would lead out of the preview.
    if (e.target.closest('a')) e.preventDefault()
    parent.postMessage({ selected: known[section.id], text: e.target.textContent.trim().slice(0, 500) }, origin)
  }, true)
  addEventListener('message', (e) => {
    if (e.origin !== origin || e.source !== parent) return
    for (const id in known) {
      const section = document.getElementById(id)
      const isShown = known[id] === e.data?.show
      section.style.outline = isShown ? '3px solid' : ''
      section.style.outlineOffset = '-3px'
      if (isShown) section.scrollIntoView({ block: 'center' })
    }
  })
  parent.postMessage({ ready: true }, origin)
})()
