// Answers questions where they are asked. It is loaded when the field is first used; without it the answer is a page of its own.
(() => {
  const doc = document
  const { dataset: known } = doc.documentElement
  if (known.asks) return
  known.asks = 'here'

  const show = (form, html) => {
    const page = new DOMParser().parseFromString(html, 'text/html')
    const told = page.querySelector('[data-answer]')
    if (!told) throw html
    // What stands on this page is led to without loading it again.
    for (const link of told.querySelectorAll('[data-here]')) link.setAttribute('href', link.hash)
    form.parentElement.querySelector('[role=status]').replaceChildren(doc.importNode(told, true))
    form.hidden = 'closed' in told.dataset
  }

  // Shows sentences as they come, and then the whole answer with its sources.
  const follow = async (form, answer) => {
    const place = doc.createElement('p')
    place.className = 'quoted'
    place.dir = 'auto'
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    for (;;) {
      const { value, done } = await reader.read()
      if (done) throw answer
      text += value
      const events = text.split('\n\n')
      text = events.pop()
      for (const event of events) {
        const [name, data] = event.split('\ndata: ')
        const said = JSON.parse(data)
        if (name === 'event: answer') return show(form, said)
        place.append(said, ' ')
        form.parentElement.querySelector('[role=status]').replaceChildren(place)
      }
    }
  }

  const ask = async (form) => {
    const body = new URLSearchParams(new FormData(form))
    const headers = { accept: 'text/event-stream, text/html' }
    const answer = await fetch(form.action, { method: 'POST', body, headers })
    const kind = answer.headers.get('content-type') || ''
    if (kind.startsWith('text/event-stream')) return follow(form, answer)
    show(form, await answer.text())
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
