// Answers questions where they are asked. It is loaded when the field is first used; without it the answer is a page of its own.
(() => {
  const doc = document
  const { dataset: known } = doc.documentElement
  if (known.asks) return
  known.asks = 'here'

  const ask = async (form) => {
    const body = new URLSearchParams(new FormData(form))
    body.set('ps.search', location.search.slice(0, 2000))
    const answer = await fetch(form.action, { method: 'POST', body, headers: { accept: 'text/html' } })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const told = page.querySelector('[data-answer]')
    if (!told) throw answer
    // What stands on this page is led to without loading it again.
    for (const link of told.querySelectorAll('[data-here]')) link.setAttribute('href', link.hash)
    const place = form.parentElement.querySelector('[role=status]')
    place.replaceChildren(doc.importNode(told, true))
  }

  doc.addEventListener('submit', (event) => {
    const form = event.target
    if (!form.matches('[data-ask]')) return
    event.preventDefault()
    const button = form.querySelector('[type=submit]')
    button.disabled = true
    // What cannot be asked from here is asked as if there was no script.
    ask(form).catch(() => form.submit()).finally(() => { button.disabled = false })
  })
})()
