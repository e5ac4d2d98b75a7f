// Each page works without this: it only saves steps.

/** A link that signs in is followed at once, but not by a page that the browser loads in advance. */
function submitAtOnce(form) {
  const submit = () => form.requestSubmit();
  if (document.prerendering) document.addEventListener("prerenderingchange", submit, { once: true });
  else submit();
}

/** A form that was sent is not sent again. */
function sendOnce(form) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
  // The page may come back from the browser's cache.
  window.addEventListener("pageshow", () => delete form.dataset.sent);
}

document.querySelectorAll("form[method=post]").forEach(sendOnce);
document.querySelectorAll("form[data-submit]").forEach(submitAtOnce);
