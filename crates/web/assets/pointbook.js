// Makes the pages smoother. Each of them works without this script.
"use strict";

// Shows a part of another page while a person types: the results of a search with what is wrong with its fields, or the preview of a
// form. A search goes to the address of its form. A form that saves goes to the address in data-at, which saves nothing.
for (const form of document.querySelectorAll("form[data-live]")) {
  const isSearch = form.method === "get";
  let waiting;
  let newest = 0;
  const load = async () => {
    const number = ++newest;
    const fields = new URLSearchParams(new FormData(form));
    const address = new URL(form.dataset.at ?? form.action, location.href);
    if (isSearch) address.search = fields;
    try {
      const response = await fetch(address, isSearch ? {} : { method: "POST", body: fields });
      if (number !== newest) return;
      if (!response.ok) return void (isSearch && form.submit());
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      for (const part of document.querySelectorAll(form.dataset.live)) {
        part.replaceChildren(...page.getElementById(part.id).childNodes);
      }
      if (!isSearch) return;
      for (const field of form.elements) {
        field.ariaInvalid = page.getElementsByName(field.name)[0]?.ariaInvalid ?? null;
      }
      history.replaceState(null, "", address);
    } catch {
      // Without the network, the button says so.
    }
  };
  form.addEventListener("input", (event) => {
    if (!isSearch && event.target.name !== form.dataset.of) return;
    clearTimeout(waiting);
    waiting = setTimeout(load, 250);
  });
}

// A box that ticks all boxes of its form with a name. Without this script it stays hidden.
for (const label of document.querySelectorAll("[data-all]")) {
  const all = label.querySelector("input");
  label.hidden = false;
  all.addEventListener("change", () => {
    for (const box of all.form.elements) if (box.name === label.dataset.all) box.checked = all.checked;
  });
}

// Goes on to the issuer that signs an operator in. A form cannot redirect there, because the policy of pages lets forms go to this
// server only. The page of the link is left out of the history, so "Back" leads to the sign-in page.
const onward = document.querySelector("a[data-onward]");
if (onward) location.replace(onward.href);
