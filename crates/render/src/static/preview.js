// A preview in a frame of the console: a click, or Enter, tells the console which block it was in, and the console shows one. Tab goes from block to
// block, and the arrows go through the elements of one.
(() => {
  const { console: origin, blocks } = document.currentScript.dataset
  if (parent === self) return
  // The console says which version it is, and its links are made anew each time.
  document.querySelector('.preview')?.remove()
  const known = JSON.parse(blocks)
  const blockOf = (element) => {
    const section = element.closest?.('main > section')
    return section && Object.hasOwn(known, section.id) ? section : null
  }
  const select = (section, element) =>
    parent.postMessage({ selected: known[section.id], text: element.textContent.trim().slice(0, 500) }, origin)
  addEventListener('click', (e) => {
    const section = blockOf(e.target)
    if (!section) return
    // A link would lead out of the preview.
    if (e.target.closest('a')) e.preventDefault()
    select(section, e.target)
  }, true)
  for (const id in known) document.getElementById(id).tabIndex = 0
  const elements = 'h1, h2, h3, h4, p, li, dt, dd, blockquote, figcaption, th, td, a, button'
  addEventListener('keydown', (e) => {
    const section = blockOf(e.target)
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key]
    if (!section || e.altKey || e.ctrlKey || e.metaKey || e.shiftKey || (!step && e.key !== 'Enter')) return
    const all = [section, ...[...section.querySelectorAll(elements)].filter((one) => one.textContent.trim() && one.checkVisibility())]
    const at = all.indexOf(e.target)
    // A field keeps its keys; Enter on a link or a button is a click.
    if (at < 0 || (!step && e.target.matches('a, button'))) return
    e.preventDefault()
    if (!step) return select(section, e.target)
    const next = all[at + step]
    if (!next) return
    if (next.tabIndex < 0) next.tabIndex = -1
    next.focus()
  })
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
