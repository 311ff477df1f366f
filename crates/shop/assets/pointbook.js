// Makes the pages smoother. Each of them works without this script.
"use strict";

// Shows a part of another page while a person types: the results of a search with what is wrong with its fields, or the preview of a
// form, of one field when data-of names it. A search goes to the address of its form. A form that saves goes to the address in data-at,
// which saves nothing.
for (const form of document.querySelectorAll("form[data-live]")) {
  const isSearch = form.method === "get";
  let waiting;
  let newest = 0;
  const load = async () => {
    const number = ++newest;
    const fields = new URLSearchParams(new FormData(form));
    // A field may be named "action", too.
    const address = new URL(form.dataset.at ?? form.getAttribute("action") ?? "", location.href);
    if (isSearch) address.search = fields;
    try {
      const response = await fetch(address, isSearch ? {} : { method: "POST", body: fields });
      if (number !== newest) return;
      if (!response.ok) return void (isSearch && form.submit());
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      for (const part of document.querySelectorAll(form.dataset.live)) {
        part.replaceChildren(...page.getElementById(part.id).childNodes);
      }
      document.dispatchEvent(new Event("shown"));
      if (!isSearch) return;
      showAll();
      for (const field of form.elements) {
        field.ariaInvalid = page.getElementsByName(field.name)[0]?.ariaInvalid ?? null;
      }
      history.replaceState(null, "", address);
    } catch {
      // Without the network, the button says so.
    }
  };
  form.addEventListener("input", (event) => {
    const names = form.dataset.of?.split(" ");
    if (!isSearch && names && !names.includes(event.target.name)) return;
    clearTimeout(waiting);
    waiting = setTimeout(load, Number(form.dataset.wait ?? 250));
  });
}

// A box in the head of a table that ticks all of its rows. Without this script it stays hidden.
const showAll = () => document.querySelectorAll("[data-all]").forEach((box) => (box.hidden = false));
showAll();
document.addEventListener("change", ({ target: all }) => {
  if (!("all" in all.dataset)) return;
  for (const box of all.closest("table").querySelectorAll("tbody [type=checkbox]")) box.checked = all.checked;
});

// Enter in a field with its own button presses that button. Without this script, it presses the first button of the form.
for (const part of document.querySelectorAll("[data-enter]")) {
  part.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || event.target.localName !== "input") return;
    event.preventDefault();
    part.querySelector("button").click();
  });
}

// A page of its own when the network is away: see worker.js. The worker comes when the page is at rest: one that just starts may hold up the
// next page.
const AT_REST_MS = 3000;
const addWorker = () => navigator.serviceWorker?.register("/shop/worker.js").catch(() => {});
if (location.pathname.startsWith("/shop/")) addEventListener("load", () => setTimeout(addWorker, AT_REST_MS));

// A picture that does not load: the first letter of the gift stands for it, as for a gift without a picture. One of the others is left out.
const withoutPicture = (image) => {
  if (!image.matches?.("img.picture, .pictures img")) return;
  const letter = document.createElement("span");
  letter.className = "picture";
  letter.ariaHidden = "true";
  letter.textContent = image.dataset.letter;
  if (image.dataset.letter) image.replaceWith(letter);
  else image.remove();
};
addEventListener("error", ({ target }) => withoutPicture(target), true);
for (const image of document.images) if (image.complete && image.naturalWidth === 0) withoutPicture(image);

// Goes on to the issuer that signs an operator in. A form cannot redirect there, because the policy of pages lets forms go to this
// server only. The page of the link is left out of the history, so "Back" leads to the sign-in page.
const onward = document.querySelector("a[data-onward]");
if (onward) location.replace(onward.href);

// Work that goes on: loads the parts of the page that name it in data-part again, until the work has ended. Then what names it in data-while
// becomes what the page has in its place, if anything.
const loadAgain = async (work) => {
  try {
    const response = await fetch(location.href);
    // The result is gone, or the session has ended: the page says so.
    if (!response.ok) return void location.reload();
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const renew = (part) => part.replaceChildren(...(page.getElementById(part.id)?.childNodes ?? []));
    document.querySelectorAll(`[data-part="${work.id}"]`).forEach(renew);
    if (!page.getElementById(work.id)?.dataset.again) {
      const end = (part) => (page.getElementById(part.id) ? renew(part) : part.remove());
      document.querySelectorAll(`[data-while="${work.id}"]`).forEach(end);
      return void renew(work);
    }
  } catch {
    // The network may come back.
  }
  setTimeout(loadAgain, work.dataset.again * 1000, work);
};
for (const work of document.querySelectorAll("[data-again]")) setTimeout(loadAgain, work.dataset.again * 1000, work);

// A form that leads back to its page keeps the place of the window, and the button that was pressed. A row that moves by one step can then
// move by another one.
addEventListener("submit", ({ target: form, submitter }) => {
  // What follows is another page, which begins at its top.
  if ("fromTop" in form.dataset) return;
  const button = submitter && [submitter.name, submitter.value.replace(/@\d+$/, "")];
  const action = submitter?.getAttribute("formaction") ?? form.getAttribute("action");
  const paths = [location.pathname, new URL(action, location.href).pathname];
  sessionStorage.setItem("place", JSON.stringify({ paths, top: scrollY, button }));
});
const place = JSON.parse(sessionStorage.getItem("place"));
sessionStorage.removeItem("place");
if (place?.paths.includes(location.pathname) && document.querySelector(".toast")) {
  const [name, value] = place.button ?? [];
  const buttons = name ? [...document.getElementsByName(name)] : [];
  buttons.find((button) => button.value.replace(/@\d+$/, "") === value)?.focus({ preventScroll: true });
  scrollTo(0, place.top);
}

// What a toast says happened once. The address forgets it, so a reload does not say it again.
const address = new URL(location.href);
const once = ["said", "placed", "cancelled", "not-cancelled"].filter((name) => address.searchParams.has(name));
for (const name of once) address.searchParams.delete(name);
if (once.length > 0) history.replaceState(history.state, "", address);

// What a person looks for first: the first mistake of the page, wherever the window stood before, and the section in a navigation that is
// wider than the window. A toast stays at the top of the window, so the middle of the window is the place for a mistake.
const mistakes = document.querySelectorAll("main [role=alert]:not(.toast), main .error");
const wrong = [...mistakes].find((part) => part.textContent.trim());
if (wrong) {
  const { top, bottom } = wrong.getBoundingClientRect();
  const covered = document.querySelector(".toast")?.getBoundingClientRect().bottom ?? 0;
  const isCovered = top < covered && scrollY > 0;
  if (top < 0 || isCovered || bottom > innerHeight) wrong.scrollIntoView({ block: "center" });
}
const section = document.querySelector(".sections [aria-current]");
if (section) section.parentElement.scrollLeft = section.offsetLeft - section.parentElement.offsetLeft - 24;

// Menus: Escape and a press beside one close it.
const menus = () => document.querySelectorAll(".menu[open], .acts > details[open]");
addEventListener("click", ({ target }) => {
  for (const menu of menus()) if (!menu.contains(target)) menu.open = false;
});
addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  for (const menu of menus()) {
    if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
    menu.open = false;
  }
});
