// Sends forms from where they stand. It is loaded when a form is first used; without it a form is sent as browsers do.
(() => {
  const doc = document
  const path = '/.pagesmith/f'
  const tokens = new WeakMap()
  const { dataset: known } = doc.documentElement
  if (known.forms) return
  known.forms = 'sent'

  // The token says since when the form is filled in. Without one the form is sent all the same.
  const begin = (form) => {
    if (!tokens.has(form)) tokens.set(form, fetch(path + '?token').then((answer) => answer.ok ? answer.text() : '').catch(() => ''))
    return tokens.get(form)
  }

  // A number whose digest with the task begins with 14 zero bits.
  const work = async (task) => {
    if (!crypto.subtle) return ''
    for (let number = 0; ; number++) {
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(task + '.' + number)))
      if (!digest[0] && digest[1] < 4) return '' + number
    }
  }

  const clear = (form) => {
    for (const old of form.querySelectorAll('.fault')) old.remove()
    for (const old of form.querySelectorAll('[aria-invalid]')) old.removeAttribute('aria-invalid')
  }

  const blame = (form, faults) => {
    clear(form)
    for (const { key, message } of faults.reverse()) {
      const field = form.querySelector(`[data-field="${key}"]`)
      if (!field) continue
      const input = field.querySelector('input, textarea, select')
      const note = doc.createElement('small')
      note.className = 'fault'
      note.id = input.id + '-fault'
      note.textContent = message
      field.append(note)
      input.setAttribute('aria-invalid', 'true')
      input.setAttribute('aria-describedby', note.id)
      input.focus()
    }
  }

  const thank = (form, { message, url, actionId }) => {
    if (url) return location.assign(url)
    const text = doc.createElement('p')
    text.tabIndex = -1
    text.setAttribute('role', 'status')
    text.textContent = message
    const next = actionId && [...doc.querySelectorAll('[data-action]')].find(({ dataset }) => dataset.action == actionId)
    form.replaceWith(text)
    if (next) text.after(next.cloneNode(true))
    text.focus()
  }

  const send = async (form, proof = '') => {
    const data = new FormData(form)
    const body = form.enctype == 'multipart/form-data' ? data : new URLSearchParams(data)
    body.set('ps.token', await begin(form))
    body.set('ps.proof', proof)
    body.set('ps.search', location.search.slice(0, 2000))
    const answer = await fetch(path, { method: 'POST', body, headers: { accept: 'application/json' } })
    const told = await answer.json()
    if (answer.status == 428 && !proof) return send(form, await work(told.task))
    if (answer.ok) return thank(form, told)
    if (told.faults) return blame(form, told.faults)
    throw answer
  }

  doc.addEventListener('focusin', ({ target }) => target.form?.matches('[data-form]') && begin(target.form))
  doc.addEventListener('submit', (event) => {
    const form = event.target
    if (!form.matches('[data-form]')) return
    event.preventDefault()
    const button = form.querySelector('[type=submit]')
    button.disabled = true
    // What cannot be sent from here is sent as if there was no script.
    send(form).catch(() => form.submit()).finally(() => { button.disabled = false })
  })
  const at = doc.activeElement?.form
  if (at?.matches('[data-form]')) begin(at)
})()
