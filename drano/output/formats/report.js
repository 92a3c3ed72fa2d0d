
"use strict";
(() => {
  const root = document.documentElement;
  document.getElementById("theme").addEventListener("click", () => {
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });

  // What is loaded late: lists of fragments, compressed in templates of this page.
  const chunks = new Map();
  const chunk = (name) => {
    if (!chunks.has(name)) chunks.set(name, unpack(document.getElementById(`c-${name}`)));
    return chunks.get(name);
  };
  const unpack = async (template) => {
    const packed = Uint8Array.from(atob(template.content.textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).json();
  };
  const fill = async (details) => {
    const places = [...details.querySelectorAll(".late")];
    for (const place of places) {
      place.classList.remove("late");
      place.innerHTML = (await chunk(place.dataset.chunk))[Number(place.dataset.part)];
    }
  };
  for (const details of document.querySelectorAll("details"))
    if (details.querySelector(".late"))
      details.addEventListener("toggle", () => details.open && fill(details));

  const reveal = async () => {
    const name = location.hash.slice(1);
    const file = document.getElementById(name.split("L")[0]);
    if (file && file.classList.contains("file")) await fill(file);
    const target = document.getElementById(name) || file;
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    // What is loaded late is no `:target`: the browser looked for it before it was there.
    for (const old of document.querySelectorAll(".found")) old.classList.remove("found");
    if (!target) return;
    target.classList.add("found");
    target.scrollIntoView({ block: "center" });
  };
  addEventListener("hashchange", reveal);
  reveal();

  const form = document.getElementById("filters");
  if (!form) return;
  const body = document.querySelector("#table tbody");
  const rows = [...body.rows];
  const text = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const filter = () => {
    const want = (name) => form.elements[name].value;
    const words = want("text").toLowerCase().split(/\s+/);
    let shown = 0;
    for (const row of rows) {
      const data = row.dataset;
      const fits =
        ["rule", "path", "kernel"].every((name) => !want(name) || data[name] === want(name)) &&
        Number(data.severity) >= Number(want("severity")) &&
        words.every((word) => text.get(row).includes(word));
      row.hidden = !fits;
      shown += fits;
    }
    document.getElementById("count").value = `${shown} of ${rows.length}`;
  };
  // A link may say what to show: report.html?rule=DRN001&text=transpose
  for (const [name, value] of new URLSearchParams(location.search))
    if (form.elements[name]) form.elements[name].value = value;
  form.addEventListener("input", filter);
  filter();
  form.addEventListener("submit", (event) => event.preventDefault());

  const heads = [...document.querySelectorAll("#table th[data-sort]")];
  for (const head of heads) {
    const numbers = head.dataset.sort === "number";
    head.addEventListener("click", () => {
      const ascending = head.getAttribute("aria-sort") === (numbers ? "descending" : null);
      for (const other of heads) other.removeAttribute("aria-sort");
      const up = numbers ? ascending : head.dataset.up !== "1";
      head.dataset.up = up ? "1" : "";
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const key = (row) => {
        const value = row.cells[head.cellIndex].textContent.trim();
        return numbers ? parseFloat(value) : value;
      };
      const order = new Intl.Collator(undefined, { numeric: true }).compare;
      rows.sort((a, b) => (numbers ? key(a) - key(b) : order(key(a), key(b))) * (up ? 1 : -1));
      body.append(...rows);
    });
  }
})();
