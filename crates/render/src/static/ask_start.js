// Loads what answers questions in place when the field is first used.
(() => {
  const doc = document
  doc.querySelector('[data-ask]').addEventListener('focusin', () => {
    doc.head.appendChild(doc.createElement('script')).src = '/.pagesmith/ask.js'
  }, { once: true })
})()
