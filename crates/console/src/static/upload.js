// Files are dropped on their form, and sent while it is shown how far that is. Without script the form is sent as it is.
'use strict';
(() => {
  const { all, failed, improve, on, one, tell } = window.pagesmith;

  const FILES = 'form[enctype="multipart/form-data"]:has(.drop)';
  const hasFiles = (e) => e.dataTransfer?.types.includes('Files');
  on('dragover', FILES, (form, e) => {
    if (!hasFiles(e)) return;
    e.preventDefault();
    form.classList.add('dropping');
  });
  on('dragleave', FILES, (form, e) => { if (!form.contains(e.relatedTarget)) form.classList.remove('dropping'); });
  on('drop', FILES, (form, e) => {
    form.classList.remove('dropping');
    if (!hasFiles(e)) return;
    e.preventDefault();
    const input = one('.drop input', form);
    const file = e.dataTransfer.files[0];
    if (!file) return;
    const single = new DataTransfer();
    single.items.add(file);
    input.files = single.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
    input.focus();
  });
  // What is dropped beside a form would take its place in the window.
  for (const event of ['dragover', 'drop'])
    addEventListener(event, (e) => { if (hasFiles(e) && one(FILES)) e.preventDefault(); });

  function sendWithProgress(form, submitter) {
    const action = new URL(form.getAttribute('action'), location).href;
    const bar = one('.drop progress', form);
    const buttons = all('button', form);
    const done = () => { bar.hidden = true; for (const button of buttons) button.disabled = false; };
    const request = new XMLHttpRequest();
    request.open('POST', action);
    request.setRequestHeader('accept', 'text/html');
    request.upload.addEventListener('progress', (e) => { if (e.lengthComputable) bar.value = e.loaded / e.total; });
    // All is sent: how long the server takes for it is not known.
    request.upload.addEventListener('load', () => bar.removeAttribute('value'));
    request.addEventListener('error', () => { done(); failed(); });
    request.addEventListener('load', () => {
      if (request.responseURL !== action) { location.assign(request.responseURL); return; }
      const main = one('main', new DOMParser().parseFromString(request.responseText, 'text/html'));
      if (!main) { done(); failed(); return; }
      // The form again, with what is wrong: at its fields, or in a message of the screen.
      one('main').replaceWith(document.adoptNode(main));
      improve(main);
      if (!one('.summary', main)) tell(request.responseText);
      one('[autofocus]', main)?.focus();
    });
    request.send(new FormData(form, submitter));
    bar.value = 0;
    bar.hidden = false;
    for (const button of buttons) button.disabled = true;
  }
  document.addEventListener('submit', (e) => {
    if (e.defaultPrevented || !e.target.matches(FILES) || !one('.drop input', e.target).files.length) return;
    e.preventDefault();
    sendWithProgress(e.target, e.submitter);
  });
})();
