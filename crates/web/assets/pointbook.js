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

// Goes on to the issuer that signs an operator in. A form cannot redirect there, because the policy of pages lets forms go to this
// server only. The page of the link is left out of the history, so "Back" leads to the sign-in page.
const onward = document.querySelector("a[data-onward]");
if (onward) location.replace(onward.href);

// Work that goes on: loads the parts of the page that change again, until the work has ended.
const work = document.querySelector("[data-again]");
if (work) {
  const load = async () => {
    try {
      const response = await fetch(location.href);
      // The result is gone, or the session has ended: the page says so.
      if (!response.ok) return void location.reload();
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      for (const part of document.querySelectorAll("[data-part]")) {
        part.replaceChildren(...page.getElementById(part.id).childNodes);
      }
      if (!page.querySelector("[data-again]")) {
        document.querySelector("[data-while]")?.remove();
        return void work.replaceChildren(...page.getElementById(work.id).childNodes);
      }
    } catch {
      // The network may come back.
    }
    setTimeout(load, work.dataset.again * 1000);
  };
  setTimeout(load, work.dataset.again * 1000);
}

// Rows of a tree that are dragged. Each drop is one form: the row goes before another one, or to the end of a level. It is sent as the page
// would send it, so its page says what became of it.
for (const form of document.querySelectorAll("form[data-drag]")) {
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

  // Where the row would go from a place of the pointer: onto a row, before it, or to the end of the top level.
  const target = (grip, x, y) => {
    const row = document.elementFromPoint(x, y)?.closest("tr");
    const other = row && form.contains(row) ? row.querySelector(".grip") : undefined;
    if (!other) return undefined;
    const box = row.getBoundingClientRect();
    const height = (y - box.top) / box.height;
    if (height > 0.7 && other === grips.at(-1)) return { row, how: "last", other: undefined };
    if (isBelow(other, grip.dataset.id)) return undefined;
    return { row, how: height < 0.3 ? "before" : "onto", other };
  };

  // The field that says where the row goes.
  const fieldOf = ({ how, other }) => {
    if (how === "before") return ["before", other.dataset.id];
    return ["below", how === "onto" ? other.dataset.id : ""];
  };

  const send = (grip, goal) => {
    if (goal.how === "onto" && goal.other.dataset.id === grip.dataset.parent) return;
    const sent = document.createElement("form");
    sent.method = "post";
    sent.action = grip.dataset.place;
    const own = [["form", form.elements.form.value], ["version", form.dataset.version]];
    for (const [name, value] of [...own, fieldOf(goal)]) {
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
    const mark = (next) => {
      goal?.row.classList.remove("drop-onto", "drop-before", "drop-last");
      next?.row.classList.add(`drop-${next.how}`);
      if (goal?.row !== next?.row || goal?.how !== next?.how) say(next?.how ?? "none", grip, next?.other);
      goal = next;
    };
    let pointer;
    let scrolling;
    const drag = (event) => {
      pointer = event;
      mark(target(grip, event.clientX, event.clientY));
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
      goal?.row.classList.remove("drop-onto", "drop-before", "drop-last");
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
      pointer = event;
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

// A form that leads back to its page keeps the place of the window, and the button that was pressed. A row that moves by one step can then
// move by another one.
addEventListener("submit", ({ target: form, submitter }) => {
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

// What a person looks for first: what is wrong with a form, and the section in a navigation that is wider than the window.
const wrong = [...document.querySelectorAll("main [role=alert], main .error")].find((part) => part.textContent.trim());
if (wrong && wrong.getBoundingClientRect().bottom > innerHeight) wrong.scrollIntoView({ block: "center" });
const section = document.querySelector(".sections [aria-current]");
if (section) section.parentElement.scrollLeft = section.offsetLeft - section.parentElement.offsetLeft - 24;
