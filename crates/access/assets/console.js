// Makes the pages of the console smoother. Each of them works without this script.
"use strict";

// Forms of the console that save. A person who leaves a changed one is asked. When the session has ended, the tab keeps what was typed,
// and shows it again in the form of the same page after the person has signed in. It keeps no secret and no file, and of hidden fields only
// those that say which version the person saw: so a form that is late is found out as ever.
const isTyped = (field) => field.matches("input:not([type=hidden], [type=password], [type=file], [type=search]), select, textarea");
const isKept = (field) => field.name && (isTyped(field) || ["seen", "seen_stock", "version"].includes(field.name));
const saving = [...document.querySelectorAll("form[method=post]")];
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
// A page that shows a form again before it is saved says so with data-unsaved.
const isUnsaved = (form) => "unsaved" in form.dataset || (!form.querySelector("[data-all]") && hasTyped(form));
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
    field.closest("[popover]:not(:popover-open)")?.showPopover();
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

// The bar below a form: how many fields differ from what is stored, and their names. Then it stays in sight, and "Discard" takes them back.
for (const bar of document.querySelectorAll("[data-changes]")) {
  const { form } = bar.querySelector("button");
  const [count, names, discard] = ["data-count", "data-names", "data-discard"].map((name) => bar.querySelector(`[${name}]`));
  const labelOf = ({ labels }) => labels?.[0]?.querySelector("span") ?? labels?.[0];
  const nameOf = (field) => field.closest("[data-name]")?.dataset.name ?? labelOf(field)?.textContent.trim() ?? "";
  const show = () => {
    const changed = [...new Set([...form.elements].filter(isChanged).map(nameOf))].filter(Boolean);
    count.textContent = changed.length;
    names.textContent = changed.slice(0, 4).join(", ") + (changed.length > 4 ? ", …" : "");
    for (const part of [count, discard]) part.hidden = changed.length === 0;
    bar.querySelector("[data-hint]").hidden = changed.length > 0;
    bar.classList.toggle("follows", changed.length > 0);
  };
  for (const kind of ["input", "change"]) form.addEventListener(kind, show);
  form.addEventListener("reset", () => setTimeout(show));
  show();
}

// A file that is chosen or dropped is sent at once, by the button beside its field.
for (const field of document.querySelectorAll("[data-sends]")) {
  const button = field.closest(".drop").querySelector("button");
  button.hidden = true;
  field.addEventListener("change", () => field.files.length > 0 && button.click());
}

// Copies the secret above. Browsers have a clipboard only for pages that came safely.
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector("pre").textContent);
    button.textContent = button.dataset.copy;
  });
}

// The head of the shop follows the colour that is chosen.
document.querySelector("input[data-brand]")?.addEventListener("input", ({ target }) => {
  const sheet = document.querySelector("[data-brand-style]");
  sheet.href = `${new URL(sheet.href).pathname}?part=${target.value.slice(1)}`;
  // The server says it of the colour that is stored.
  document.querySelector("[data-contrast]").hidden = true;
});

for (const button of document.querySelectorAll("[data-color]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const field = button.previousElementSibling;
    field.value = button.dataset.color;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

// How many rows are ticked. The bar stands on the head of the table while there are some.
const tickedOf = (form) => form?.querySelector("[data-ticked]");
const boxesOf = (form) => [...form.elements].filter((box) => box.name === tickedOf(form).dataset.ticked);
const countTicked = (form) => {
  const said = tickedOf(form);
  if (!said) return;
  const count = boxesOf(form).filter((box) => box.checked).length;
  said.textContent = said.dataset.some.replace("%1", count);
  said.parentElement.classList.add("over");
  said.parentElement.hidden = count === 0;
};
addEventListener("change", ({ target }) => countTicked(target.form));
addEventListener("reset", ({ target: form }) => {
  if (!tickedOf(form)) return;
  const all = form.querySelector("[data-all]");
  setTimeout(() => {
    // A form that was refused comes back with its boxes ticked.
    for (const box of boxesOf(form)) box.checked = false;
    countTicked(form);
    all?.focus();
  });
});
const countAll = () => document.querySelectorAll("[data-ticked]").forEach((said) => countTicked(said.closest("form")));
countAll();
document.addEventListener("shown", countAll);

// The button of an award says how many points it gives or takes.
for (const button of document.querySelectorAll("[data-award]")) {
  const plain = button.textContent;
  button.form.addEventListener("input", () => {
    const points = Number(button.form.elements.points.value.trim().replace("−", "-"));
    const text = button.dataset[points > 0 ? "award" : "take"].replace("%1", Math.abs(points).toLocaleString(document.documentElement.lang));
    button.textContent = Number.isInteger(points) && (points < 0 || points > 1) ? text : plain;
  });
}

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
  if (grips.length > 1) hint.classList.remove("unready");
}

// The readout above a chart follows the pointer and the arrow keys, in all charts of the same days. An en space divides the parts of a hint.
const daysOf = (chart) => [...chart.querySelectorAll(".hints rect")];
const nameOf = (day) => day.textContent.split("\n")[0];
const element = (name, ...children) => {
  const made = document.createElement(name);
  made.append(...children);
  return made;
};
const read = (chart, place, isAloud) => {
  const days = daysOf(chart);
  const at = Math.max(0, Math.min(place, days.length - 1));
  for (const other of document.querySelectorAll(".chart:has(.hints)")) {
    const hint = daysOf(other)[at];
    const readout = other.querySelector(".chart-readout");
    if (!hint || nameOf(hint) !== nameOf(days[at]) || readout.firstChild.textContent === nameOf(hint)) continue;
    const [day, ...lines] = hint.textContent.split("\n").map((line) => line.split("\u2002"));
    const parts = lines.map(([name, value, before = ""]) => element("span", `${name} `, element("b", value), ` ${before}`));
    readout.ariaLive = isAloud && other === chart ? "polite" : "off";
    readout.replaceChildren(element("b", ...day), ...parts);
    const x = `${parseFloat(hint.getAttribute("x")) + parseFloat(hint.getAttribute("width")) / 2}%`;
    for (const end of ["x1", "x2"]) other.querySelector(".cross").setAttribute(end, x);
  }
};
// The preview of a form brings new charts.
const focusCharts = () => document.querySelectorAll(".chart:has(.hints) .chart-plot").forEach((plot) => (plot.tabIndex = 0));
focusCharts();
document.addEventListener("shown", focusCharts);
document.addEventListener("pointermove", ({ target }) => {
  const day = target.closest?.(".hints rect");
  if (day) read(day.closest(".chart"), daysOf(day.closest(".chart")).indexOf(day));
});
document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const chart = event.target.closest?.(".chart-plot")?.closest(".chart");
  if (!step || !chart) return;
  event.preventDefault();
  const shown = chart.querySelector(".chart-readout b").textContent;
  read(chart, daysOf(chart).findIndex((day) => nameOf(day) === shown) + step, true);
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

// A small editor in place of HTML that is simple: it shows each element that there is, and its buttons make no others. Other HTML stays as it is.
const SIMPLE = /<\/?(p|br|b|strong|i|em|ul|ol|li|a)>|<a href="https?:[^"<>]*">/gi;
for (const area of document.querySelectorAll("textarea[data-rich]:enabled")) {
  const read = () => new DOMParser().parseFromString(area.value, "text/html");
  const canShow = () => !area.value.replace(SIMPLE, "").includes("<");
  const make = (name, attributes, parent) => {
    const element = parent.appendChild(document.createElement(name));
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const { rich, bold, italic, list, link, address, html: source } = area.dataset;
  const editor = make("div", { class: "rich" }, area.parentElement);
  area.closest("label").after(editor);
  const bar = make("div", { role: "toolbar", "aria-label": rich }, editor);
  const text = make("div", { class: "text", contenteditable: "true", role: "textbox", "aria-multiline": "true", "aria-label": area.labels[0].querySelector("span").textContent }, editor);
  const button = (label, sign, press) => {
    const made = make("button", { type: "button", class: "bare", "aria-label": label }, bar);
    made.textContent = sign;
    made.addEventListener("click", press);
    return made;
  };
  const command = (name, value) => {
    text.focus();
    document.execCommand(name, false, value);
  };
  const formats = [
    button(bold, "B", () => command("bold")),
    button(italic, "I", () => command("italic")),
    button(list, "•", () => command("insertUnorderedList")),
    button(link, link, () => {
      const url = prompt(address, "https://");
      if (url?.startsWith("http")) command("createLink", url);
    }),
  ];
  const show = (isRich) => {
    area.hidden = isRich;
    for (const part of [text, ...formats]) part.hidden = !isRich;
    if (isRich) text.replaceChildren(...read().body.childNodes);
    html.ariaPressed = !isRich;
  };
  const html = button(source, source, () => show(area.hidden ? false : canShow()));
  document.execCommand("defaultParagraphSeparator", false, "p");
  text.addEventListener("input", () => {
    area.value = text.textContent.trim() === "" ? "" : text.innerHTML;
    area.dispatchEvent(new Event("input", { bubbles: true }));
  });
  text.addEventListener("paste", (event) => {
    event.preventDefault();
    document.execCommand("insertText", false, event.clipboardData.getData("text/plain"));
  });
  area.form.addEventListener("reset", () => setTimeout(() => show(!area.hidden ? false : canShow())));
  show(canShow());
}
