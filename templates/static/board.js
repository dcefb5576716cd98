// The board on the spot: the picture of a page, as SVG that answers to pointers and keys, zooms, and shows a choice
// before the server has judged it. It decides nothing and knows no rule; without it the picture and the links stay.
// More than the 5 KB of other scripts, because fingers, wheel, mouse and keys each need their way over the board.
"use strict";
{
  const MOST = 6, SVG = "http://www.w3.org/2000/svg";
  const WAYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
  let last = null;

  const fetched = async (url) => {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(answer.statusText);
    const svg = document.importNode(new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement, true);
    svg.setAttribute("class", "live");
    svg.setAttribute("aria-hidden", "true");
    return svg;
  };

  class Board {
    constructor(figure) {
      this.figure = figure;
      this.pan = figure.querySelector(".pan");
      this.sheet = figure.querySelector(".sheet");
      this.image = figure.querySelector("img");
      this.answer = figure.querySelector(".answer");
      this.zoomed = 1;
      this.svg = this.cursor = null;
      this.bind();
    }

    // The SVG takes the place of the picture; where it does not come, the picture stays. The board before this one
    // (of the same page) stays in sight until then.
    async show(before) {
      if (before?.svg && !this.image.complete) this.image.after((this.svg = before.svg));
      if (before && before.zoomed !== 1) {
        this.zoom(before.zoomed);
        this.pan.scrollTo(before.left, before.top);
      }
      const svg = await fetched(this.figure.dataset.live).catch(() => null);
      this.svg?.remove();
      if (!svg) return (this.svg = null);
      this.image.after((this.svg = svg));
      this.spots = new Map([...svg.querySelectorAll(".spot")].map((spot) => [spot.dataset.at, spot]));
      if (!this.figure.querySelector(".zoom")) this.buttons();
      this.pan.setAttribute("aria-label", this.figure.dataset.keys);
      if (before?.cursor && this.spots.has(before.cursor)) this.walkTo(this.spots.get(before.cursor), false);
    }

    buttons() {
      const place = this.pan.parentNode.insertBefore(document.createElement("div"), this.pan.nextSibling), [larger, smaller, whole] = this.figure.dataset.zoom.split("|");
      place.className = "zoom no-print";
      for (const [factor, sign, name] of [[1.5, "+", larger], [1 / 1.5, "−", smaller], [0, whole, ""]]) {
        const button = place.appendChild(document.createElement("button"));
        [button.type, button.textContent, button.onclick] = ["button", sign, () => this.zoom(factor)];
        if (name) button.setAttribute("aria-label", name);
      }
    }

    say(found) {
      for (const one of this.svg.querySelectorAll(".on")) if (!found.includes(one)) one.classList.remove("on");
      for (const one of found) one.classList.add("on");
      const words = [...new Set(found.map((one) => one.dataset.words))].join(" ");
      if (words && words !== this.answer.textContent && !this.figure.classList.contains("pending")) this.answer.textContent = words;
    }

    point(event) {
      if (!this.spots) return;
      const under = document.elementsFromPoint(event.clientX, event.clientY).filter((one) => one.dataset?.words && this.svg.contains(one));
      const cube = under.find((one) => one.matches(".good"));
      if (cube) return this.say([cube]);
      this.say([...under.filter((one) => one.matches(".way")).slice(0, 1), ...under.filter((one) => one.matches(".spot"))]);
    }

    // Zoomed by a factor (0: to the whole board) with the place under (x, y) of the window staying where it is.
    zoom(factor, x, y) {
      const { pan, sheet } = this, box = pan.getBoundingClientRect(), was = sheet.offsetWidth, high = sheet.offsetHeight;
      const plain = was / this.zoomed, plainHigh = high / this.zoomed, least = Math.min(1, pan.clientWidth / plain);
      const wanted = factor ? Math.min(MOST, Math.max(least, this.zoomed * factor)) : least, now = Math.abs(wanted - 1) < 0.02 ? 1 : wanted;
      if (Math.abs(now - this.zoomed) < 0.001) return false;
      const px = (x ?? box.left + box.width / 2) - box.left, py = (y ?? box.top + box.height / 2) - box.top;
      const across = (pan.scrollLeft + px) / was, down = (pan.scrollTop + py) / high;
      if (this.zoomed <= 1 && now > 1) pan.style.height = `${pan.offsetHeight}px`;
      if (now <= 1) pan.style.height = "";
      this.zoomed = now;
      sheet.style.minWidth = now < 1 ? "0" : "";
      sheet.style.width = now === 1 ? "" : `${plain * now}px`;
      sheet.style.height = now === 1 ? "" : `${plainHigh * now}px`;
      pan.scrollLeft = across * sheet.offsetWidth - px;
      pan.scrollTop = down * sheet.offsetHeight - py;
      this.figure.classList.toggle("far", pan.scrollWidth > pan.clientWidth + 1);
      return true;
    }

    walk(way) {
      const from = this.cursor ?? this.spots.get(this.sheet.querySelector("a.chosen, a.end")?.dataset.at);
      if (!from) return this.walkTo(this.middlemost());
      const [x, y] = middle(from);
      const far = (spot) => {
        const [sx, sy] = middle(spot), along = (sx - x) * way[0] + (sy - y) * way[1];
        return along > 1 ? along + 2 * Math.abs((sx - x) * way[1] - (sy - y) * way[0]) : Infinity;
      };
      this.walkTo([...this.spots.values()].reduce((best, spot) => (far(spot) < far(best) ? spot : best), from));
    }

    middlemost() {
      const { width, height } = this.svg.viewBox.baseVal;
      const far = (spot) => Math.hypot(middle(spot)[0] - width / 2, middle(spot)[1] - height / 2);
      return [...this.spots.values()].reduce((best, spot) => (far(spot) < far(best) ? spot : best));
    }

    walkTo(spot, aloud = true) {
      this.cursor?.classList.remove("cursor");
      this.cursor = spot;
      spot.classList.add("cursor");
      if (!aloud) return;
      this.say([spot]);
      spot.scrollIntoView({ block: "nearest", inline: "nearest" });
    }

    // What was chosen, drawn at once and said to be not judged yet.
    choose(link) {
      const { d, city, at } = link.dataset, ghost = this.sheet.querySelector(`.ghost.g${link.getAttribute("class")?.match(/\bt(\d+)\b/)?.[1]} path`);
      const track = d || ghost?.getAttribute("d"), spot = this.spots?.get(at);
      if (spot && !city) return this.say([spot]);
      if (!this.svg || !(track || (city && spot))) return;
      const group = this.svg.appendChild(made("g", { class: "tentative" }));
      if (track) for (const look of ["glow", "rim", "core"]) group.append(made("path", { class: look, d: track }));
      else {
        const [x, y] = middle(spot);
        group.append(made("path", { class: "city", d: spot.getAttribute("d") }));
        group.appendChild(made("text", { x, y, "font-size": spot.getBBox().height / 2 })).textContent = city;
      }
      this.figure.classList.add("pending");
      this.answer.textContent = this.figure.dataset.pending;
    }

    bind() {
      const { pan } = this;
      pan.addEventListener("pointermove", (event) => this.point(event));
      pan.addEventListener("pointerdown", (event) => this.point(event));
      pan.addEventListener("scroll", () => (this.place = [pan.scrollLeft, pan.scrollTop]));
      pan.addEventListener("pointerleave", () => this.spots && this.say(this.cursor ? [this.cursor] : []));
      pan.addEventListener("wheel", (event) => {
        if (!this.spots || !(event.ctrlKey || pan.contains(document.activeElement))) return;
        if (this.zoom(Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) / 200), event.clientX, event.clientY) || event.ctrlKey) event.preventDefault();
      }, { passive: false });
      pan.addEventListener("keydown", (event) => {
        if (!this.spots || event.ctrlKey || event.metaKey || event.altKey || !pan.matches(":focus-visible")) return;
        const steps = { "+": 1.5, "=": 1.5, "-": 1 / 1.5, 0: 0 };
        if (WAYS[event.key]) this.walk(WAYS[event.key]);
        else if (event.key in steps) this.zoom(steps[event.key]);
        else if (event.key === "Enter" && this.cursor) this.link(this.cursor.dataset.at)?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
        else return;
        event.preventDefault();
        event.stopPropagation();
      });
      this.drag();
      this.pinch();
    }

    link(at) {
      return this.sheet.querySelector(`a.hex[data-at="${at}"]`);
    }

    drag() {
      const { pan, figure } = this;
      let from = null, far = 0;
      pan.addEventListener("dragstart", (event) => event.preventDefault());
      pan.addEventListener("pointerdown", (event) => {
        if (event.pointerType === "mouse" && !event.button) [from, far] = [event, 0];
      });
      pan.addEventListener("pointermove", (event) => {
        if (!from || !event.buttons) return;
        far += Math.abs(event.movementX) + Math.abs(event.movementY);
        pan.scrollBy(-event.movementX, -event.movementY);
        figure.classList.toggle("dragged", far > 6);
      });
      this.release = () => {
        from = null;
        setTimeout(() => figure.classList.remove("dragged"));
      };
      pan.addEventListener("click", (event) => {
        if (!figure.classList.contains("dragged")) return;
        event.preventDefault();
        event.stopPropagation();
      }, true);
    }

    pinch() {
      let wide = 0;
      const apart = ([a, b]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
      this.pan.addEventListener("touchstart", (event) => {
        wide = event.touches.length === 2 ? apart(event.touches) : 0;
        if (wide) event.preventDefault();
      }, { passive: false });
      this.pan.addEventListener("touchmove", (event) => {
        if (!wide || event.touches.length !== 2 || !this.spots) return;
        event.preventDefault();
        const now = apart(event.touches), [a, b] = event.touches;
        this.zoom(now / wide, (a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2);
        wide = now;
      }, { passive: false });
    }

    // What the next board of this page goes on from.
    left() {
      return { svg: this.svg, zoomed: this.zoomed, left: this.place?.[0], top: this.place?.[1], cursor: this.cursor?.dataset.at };
    }
  }

  const middle = (spot) => {
    const box = spot.getBBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };

  const made = (tag, values) => {
    const element = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(values)) element.setAttribute(key, value);
    return element;
  };

  const look = () => {
    const figure = document.querySelector("figure.board[data-live]");
    if (!figure || figure === last?.figure) return;
    const before = last?.left();
    last = new Board(figure);
    last.show(before);
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest("#builder a[href^='?']");
    if (link && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.button) last?.choose(link);
  });
  addEventListener("pointerup", () => last?.release());
  new MutationObserver(look).observe(document.querySelector("main"), { childList: true, subtree: true });
  look();
}
