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

// Rows of a tree that are dragged. Each drop is one form: the row goes below another one, before it, or after it. It is sent as the page
// would send it, so its page says what became of it.
for (const form of document.querySelectorAll("form[data-drag]")) {
  // How far the pointer moves to the side for another level.
  const LEVEL_WIDTH = 16;
  const grips = [...form.querySelectorAll(".grip")];
  for (const grip of grips) {
    const row = grip.closest("tr");
    const [link, button] = [row.querySelector("a"), row.querySelector("[name=up]")];
    const id = button.value.replace(/@\d+$/, "");
    const place = `${link.pathname}/place${new URL(form.action).search}`;
    Object.assign(grip.dataset, { id, name: link.textContent, place });
  }
  const said = form.querySelector("[data-drag-said]");
  const gripOf = (id) => grips.find((grip) => grip.dataset.id === id);
  const isBelow = (grip, id) => grip !== undefined && (grip.dataset.id === id || isBelow(gripOf(grip.dataset.parent), id));
  const say = (key, grip, other) => {
    said.textContent = said.dataset[key].replace("%1", () => grip.dataset.name).replace("%2", () => other?.dataset.name ?? "");
  };

  const levelOf = (grip) => Number(grip.dataset.level);
  const besides = (grip, step) => {
    const level = grips.filter((other) => other.dataset.parent === grip.dataset.parent);
    return level[level.indexOf(grip) + step];
  };

  // The place at the lower edge of a row. Behind the last row of a branch, several levels end: the row keeps its own level, or gets the one
  // to which the pointer moved aside. Before the first row of a branch, there is one level.
  const lowerEdge = (grip, other, steps) => {
    const others = grips.filter((known) => !isBelow(known, grip.dataset.id));
    const next = others[others.indexOf(other) + 1];
    if (next?.dataset.parent === other.dataset.id) return { how: "before", other: next };
    // The row behind the last one is on the next page.
    const level = next ? levelOf(next) : Number(form.dataset.nextLevel);
    if (!next && level > levelOf(other)) return undefined;
    const ends = [other];
    for (let above = gripOf(other.dataset.parent); above && levelOf(above) >= level; above = gripOf(above.dataset.parent)) {
      ends.push(above);
    }
    const wanted = levelOf(grip) + steps;
    return { how: "after", other: ends.find((end) => levelOf(end) <= wanted) ?? ends.at(-1) };
  };

  // Whether the row is there already.
  const isThere = (grip, { how, other }) => {
    if (how === "onto") return other.dataset.id === grip.dataset.parent;
    return besides(grip, how === "before" ? 1 : -1) === other;
  };

  // Where the row would go from a place of the pointer: the upper quarter of a row is the place before it, the lower quarter the place
  // after it, and the middle the place below it. The pointer may be a little aside of the rows, to reach a level.
  const target = (grip, x, y, steps) => {
    const { left, right } = form.getBoundingClientRect();
    if (x < left - 3 * LEVEL_WIDTH || x > right) return undefined;
    const other = grips.find((known) => {
      const { top, bottom } = known.closest("tr").getBoundingClientRect();
      return top <= y && y < bottom;
    });
    if (!other || isBelow(other, grip.dataset.id)) return undefined;
    const row = other.closest("tr");
    const box = row.getBoundingClientRect();
    const height = (y - box.top) / box.height;
    let goal = { how: height < 0.25 ? "before" : "onto", other };
    if (height > 0.75) goal = lowerEdge(grip, other, steps);
    if (!goal) return undefined;
    // The line is where the pointer is: below the row, also when the next one names the place.
    const edge = height > 0.75 ? "lower" : goal.how === "onto" ? "middle" : "upper";
    return isThere(grip, goal) ? undefined : { ...goal, row, edge };
  };

  const send = (grip, goal) => {
    const sent = document.createElement("form");
    sent.method = "post";
    sent.action = grip.dataset.place;
    const own = [["form", form.elements.form.value], ["version", form.dataset.version]];
    const place = [goal.how === "onto" ? "below" : goal.how, goal.other.dataset.id];
    for (const [name, value] of [...own, place]) {
      const input = document.createElement("input");
      [input.type, input.name, input.value] = ["hidden", name, value];
      sent.append(input);
    }
    document.body.append(sent);
    sent.requestSubmit();
  };

  for (const grip of grips) {
    grip.hidden = false;
    let goal;
    const unmark = () => {
      goal?.row.classList.remove("drop-upper", "drop-middle", "drop-lower");
      goal?.row.removeAttribute("style");
    };
    const mark = (next) => {
      unmark();
      next?.row.classList.add(`drop-${next.edge}`);
      next?.row.style.setProperty("--level", next.other.dataset.level);
      if (goal?.other !== next?.other || goal?.how !== next?.how) say(next?.how ?? "none", grip, next?.other);
      goal = next;
    };
    let begin;
    let pointer;
    let scrolling;
    const drag = (event) => {
      pointer = event;
      const steps = Math.round((event.clientX - begin.clientX) / LEVEL_WIDTH);
      mark(target(grip, event.clientX, event.clientY, steps));
    };
    // A long tree scrolls while the pointer is at an edge of the window.
    const scroll = () => {
      const edge = pointer.clientY < 40 ? -12 : pointer.clientY > innerHeight - 40 ? 12 : 0;
      if (edge === 0) return;
      scrollBy(0, edge);
      drag(pointer);
    };
    const end = () => {
      clearInterval(scrolling);
      grip.removeEventListener("pointermove", drag);
      removeEventListener("keydown", leave);
      grip.closest("tr").classList.remove("dragged");
      unmark();
    };
    const leave = (event) => {
      if (event.type === "keydown" && event.key !== "Escape") return;
      end();
      goal = undefined;
      say("none", grip);
    };
    grip.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      goal = undefined;
      grip.setPointerCapture(event.pointerId);
      grip.closest("tr").classList.add("dragged");
      grip.addEventListener("pointermove", drag);
      addEventListener("keydown", leave);
      begin = pointer = event;
      scrolling = setInterval(scroll, 20);
    });
    grip.addEventListener("pointercancel", leave);
    grip.addEventListener("pointerup", () => {
      end();
      if (goal) send(grip, goal);
      goal = undefined;
    });
  }
  const hint = form.querySelector("[data-drag-hint]");
  if (grips.length > 1) hint.hidden = false;
}

// Forms of the console that save. A person who leaves a changed one is asked. When the session has ended, the tab keeps what was typed,
// and shows it again in the form of the same page after the person has signed in. It keeps no secret and no file, and of hidden fields only
// those that say which version the person saw: so a form that is late is found out as ever.
const isTyped = (field) => field.matches("input:not([type=hidden], [type=password], [type=file], [type=search]), select, textarea");
const isKept = (field) => field.name && (isTyped(field) || ["seen", "seen_stock", "version"].includes(field.name));
const saving = location.pathname.startsWith("/console/") ? [...document.querySelectorAll("form[method=post]")] : [];
const actionOf = (form) => form.getAttribute("action");
const isChanged = (field) => {
  if (!isTyped(field)) return false;
  if (["checkbox", "radio"].includes(field.type)) return field.checked !== field.defaultChecked;
  if (field.localName !== "select") return field.value !== field.defaultValue;
  const chosen = [...field.options].find((option) => option.defaultSelected) ?? field.options[0];
  return field.value !== chosen?.value;
};
// The list of a form that ticks rows has nothing that was typed. A form that was refused has what was typed, and saved none of it.
const isRefused = document.querySelector(".toast.failed, .notice[role=alert]") !== null;
const hasTyped = (form) => [...form.elements].some(isChanged) || (isRefused && form.querySelector("[role=alert]") !== null);
const isUnsaved = (form) => !form.querySelector("[data-all]") && hasTyped(form);
const operator = document.querySelector("[data-operator]")?.dataset.operator;
let sent;
addEventListener("beforeunload", (event) => {
  if (saving.some((form) => form !== sent && isUnsaved(form))) event.preventDefault();
});
addEventListener("submit", ({ target: form, defaultPrevented }) => {
  if (defaultPrevented) return;
  sent = form;
  if (actionOf(form)?.endsWith("/sign-out")) sessionStorage.removeItem("draft");
  if (!saving.includes(form) || !isUnsaved(form)) return;
  const fields = [...form.elements].filter(isKept).map(({ name, value, checked }) => ({ name, value, checked }));
  sessionStorage.setItem("draft", JSON.stringify({ operator, path: location.pathname, action: actionOf(form), fields }));
});
const restore = ({ action, fields }) => {
  const form = saving.find((known) => actionOf(known) === action);
  if (!form) return;
  const places = new Map();
  for (const { name, value, checked } of fields) {
    const place = places.get(name) ?? 0;
    places.set(name, place + 1);
    const field = [...form.elements].filter((known) => known.name === name && isKept(known))[place];
    if (!field) continue;
    if (["checkbox", "radio"].includes(field.type)) field.checked = checked && field.value === value;
    else field.value = value;
    field.closest("details")?.setAttribute("open", "");
  }
};
const draft = JSON.parse(sessionStorage.getItem("draft"));
const signedOut = document.querySelector("[data-draft]");
// The pages of the sign-in have no operator yet.
const isOfAnother = operator && draft?.operator !== operator;
if (draft && signedOut) {
  sessionStorage.setItem("draft", JSON.stringify({ ...draft, isLost: true }));
  signedOut.querySelector("a").href = draft.path;
  signedOut.hidden = false;
} else if (draft?.path === location.pathname || isOfAnother || !draft?.isLost) {
  sessionStorage.removeItem("draft");
  if (draft?.isLost && !isOfAnother) restore(draft);
}

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

// Keys of the console: "/" goes to the search, and "g" with the letter of a section opens it.
const isForText = ({ target, ctrlKey, metaKey, altKey }) =>
  ctrlKey || metaKey || altKey || target.matches?.("input, select, textarea, [contenteditable]");
let goes = 0;
addEventListener("keydown", (event) => {
  if (isForText(event)) return;
  const search = event.key === "/" && document.querySelector("[data-slash]");
  const section = Date.now() - goes < 1000 && document.querySelector(`[data-letter="${CSS.escape(event.key)}"]`);
  goes = event.key === "g" ? Date.now() : 0;
  if (!search && !section) return;
  event.preventDefault();
  if (search) search.select();
  else section.click();
});
