// Makes the pages smoother. Each of them works without this script.
"use strict";

// Searches while the member types: loads the same page, and shows only its results and what is wrong with the fields.
for (const form of document.querySelectorAll("form[data-live]")) {
  let waiting;
  let newest = 0;
  const search = async () => {
    const number = ++newest;
    const address = new URL(form.action);
    address.search = new URLSearchParams(new FormData(form));
    try {
      const response = await fetch(address);
      if (number !== newest) return;
      if (!response.ok) return void form.submit();
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      for (const part of document.querySelectorAll(form.dataset.live)) {
        part.replaceChildren(...page.getElementById(part.id).childNodes);
      }
      for (const field of form.elements) {
        field.ariaInvalid = page.getElementsByName(field.name)[0]?.ariaInvalid ?? null;
      }
      history.replaceState(null, "", address);
    } catch {
      // Without the network, the button says so.
    }
  };
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(search, 250);
  });
}
