// Loads what answers questions in place when the field is first used.
(() => {
  const doc = document
  const start = ({ target }) => {
    if (!target.form?.matches('[data-ask]')) return
    doc.removeEventListener('focusin', start)
    doc.head.appendChild(doc.createElement('script')).src = '/.pagesmith/ask.js'
  }
  doc.addEventListener('focusin', start)
})()
