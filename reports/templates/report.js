
(() => {
  "use strict";
  const card = document.getElementById("card");
  const body = document.getElementById("card-body");
  const why = document.getElementById("card-why");
  const narrow = window.matchMedia("(max-width: 40rem)");
  let opener = null, pinned = false, returning = false, timer = 0;

  function fill(cite) {
    const reference = document.querySelector(cite.getAttribute("href"));
    const claim = cite.dataset.claim || "";
    body.replaceChildren();
    why.replaceChildren();
    if (!reference) return false;
    body.append(reference.querySelector(".ref-head").cloneNode(true));
    const details = reference.querySelector("details");
    const parts = details ? [...details.children].filter((part) => part.tagName !== "SUMMARY") : [...reference.querySelectorAll("blockquote")];
    for (const part of parts) body.append(part.cloneNode(true));
    const found = [...body.querySelectorAll(".found .chip")];
    for (const chip of found.slice(3)) chip.remove();
    if (found.length > 3) found[2].after(" +" + (found.length - 3));
    const passage = body.querySelector(".passage");
    if (passage) passage.after(why);
    else body.append(why);
    const marks = [...body.querySelectorAll("mark")];
    const own = marks.filter((mark) => mark.dataset.claims.split(" ").includes(claim));
    for (const mark of own.length ? own : marks) mark.classList.add("on");
    const verdict = claim && document.getElementById("why-" + claim);
    if (verdict) {
      for (const part of verdict.querySelectorAll("span")) why.append(part.cloneNode(true), " ");
    }
    card.setAttribute("aria-label", cite.getAttribute("aria-label"));
    return true;
  }

  function show(cite, pin) {
    clearTimeout(timer);
    if (opener !== cite || card.hidden) {
      if (!fill(cite)) return;
      if (opener) opener.classList.remove("on");
      opener = cite;
      cite.classList.add("on");
      card.hidden = false;
      settle(cite);
    }
    pinned = pinned && opener === cite ? true : pin;
  }

  function settle(cite) {
    card.style.left = card.style.top = "";
    card.scrollTop = 0;
    if (!narrow.matches) {
      const at = cite.getBoundingClientRect(), width = card.offsetWidth, height = card.offsetHeight;
      const left = Math.min(Math.max(at.left - 24, 16), document.documentElement.clientWidth - width - 16);
      const below = at.bottom + 8, above = at.top - height - 8;
      const top = below + height > window.innerHeight && above > 0 ? above : below;
      card.style.left = left + window.scrollX + "px";
      card.style.top = top + window.scrollY + "px";
    }
    const passage = card.querySelector(".passage"), mark = card.querySelector("mark.on");
    if (passage && mark) {
      passage.scrollTop += mark.getBoundingClientRect().top - passage.getBoundingClientRect().top - 32;
    }
  }

  function hide(back) {
    clearTimeout(timer);
    if (card.hidden) return;
    card.hidden = true;
    pinned = false;
    if (opener) {
      opener.classList.remove("on");
      if (back) { returning = true; opener.focus(); returning = false; }
    }
    opener = null;
  }

  const citeOf = (event) => event.target instanceof Element ? event.target.closest("a.cite") : null;
  const inside = (node) => node instanceof Node && card.contains(node);

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    const cite = citeOf(event);
    if (inside(event.target)) clearTimeout(timer);
    else if (cite && !(pinned && cite !== opener)) {
      clearTimeout(timer);
      timer = setTimeout(() => show(cite, false), card.hidden ? 90 : 160);
    } else if (!pinned && !card.hidden) {
      clearTimeout(timer);
      timer = setTimeout(() => hide(false), 260);
    }
  });
  document.addEventListener("pointerleave", () => { if (!pinned) hide(false); });
  document.addEventListener("focusin", (event) => {
    const cite = citeOf(event);
    if (returning) return;
    if (cite && cite.matches(":focus-visible")) { if (cite !== opener) { pinned = false; show(cite, false); } }
    else if (!cite && !inside(event.target) && !pinned) hide(false);
  });
  document.addEventListener("click", (event) => {
    const cite = citeOf(event);
    if (cite) {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      if (cite === opener && pinned) { hide(true); return; }
      pinned = false;
      show(cite, true);
      if (event.detail === 0) card.focus();
    } else if (event.target === document.getElementById("card-close")) hide(true);
    else if (!inside(event.target)) hide(false);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !card.hidden) { event.preventDefault(); hide(inside(document.activeElement) || document.activeElement === opener); }
  });
  window.addEventListener("resize", () => { if (opener && !card.hidden) settle(opener); });

  const reveal = () => {
    const at = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!at) return;
    for (let box = at.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
    at.scrollIntoView({ block: "center" });
  };
  window.addEventListener("hashchange", reveal);
  reveal();

  const opened = [];
  window.addEventListener("beforeprint", () => {
    hide(false);
    for (const box of document.querySelectorAll(".timeline details:not([open])")) { box.open = true; opened.push(box); }
  });
  window.addEventListener("afterprint", () => { while (opened.length) opened.pop().open = false; });
})();
