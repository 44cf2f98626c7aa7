// What makes a page handier where there is script. Every part of the page works without it.
(() => {
  const doc = document
  const named = (hash) => doc.getElementById(hash.slice(1))
  const show = (dialog) => {
    if (!dialog?.showModal || dialog.open) return
    dialog.showModal()
    // What sends forms: more than one does no harm.
    doc.head.appendChild(doc.createElement('script')).src = '/.pagesmith/form.js'
  }

  const play = (poster) => {
    const frame = doc.createElement('iframe')
    frame.className = 'player'
    frame.title = poster.dataset.title || poster.textContent
    frame.allow = 'autoplay; encrypted-media; fullscreen; picture-in-picture'
    frame.referrerPolicy = 'strict-origin-when-cross-origin'
    frame.src = poster.dataset.embed
    poster.replaceWith(frame)
    frame.focus()
  }

  const copy = async (button) => {
    const box = button.parentElement
    const code = box.querySelector('code')
    try {
      await navigator.clipboard.writeText(code.textContent)
      const label = button.dataset.label ||= button.textContent
      button.textContent = box.querySelector('[role=status]').textContent = button.dataset.copy
      setTimeout(() => {
        button.textContent = label
        box.querySelector('[role=status]').textContent = ''
      }, 2e3)
    } catch {
      // Not allowed here: the visitor copies by hand.
      box.dataset.shown = ''
      box.querySelector('details').open = true
      getSelection().selectAllChildren(code)
    }
  }

  const step = (button) => {
    const band = button.parentElement.previousElementSibling
    const way = getComputedStyle(band).direction === 'rtl' ? -1 : 1
    band.scrollBy({ left: way * button.dataset.step * band.querySelector('li').offsetWidth })
  }

  doc.addEventListener('click', (event) => {
    const at = (selector) => event.target.closest(selector)
    const menu = at('header details')
    for (const open of doc.querySelectorAll('header details[open]')) if (open !== menu) open.open = false
    if (event.target.showModal) return event.target.close()
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return
    const form = at('[data-dialog]')
    const close = at('[data-close]')
    const poster = at('[data-embed]')
    if (form || close || poster) event.preventDefault()
    if (form) show(named(form.hash))
    if (close) at('dialog').close()
    if (poster) play(poster)
    if (at('[data-copy]')) copy(at('[data-copy]'))
    if (at('[data-step]')) step(at('[data-step]'))
  })

  doc.addEventListener('keydown', (event) => {
    const menu = event.key === 'Escape' && event.target.closest('header details[open]')
    if (menu) {
      menu.open = false
      menu.firstElementChild.focus()
    }
  })

  // Buttons are of use where there is something to scroll.
  const fit = () => {
    for (const band of doc.querySelectorAll('.carousel')) band.nextElementSibling.hidden = band.scrollWidth <= band.clientWidth
  }
  addEventListener('resize', fit)
  fit()
  show(named(location.hash))
})()
