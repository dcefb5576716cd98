// While a file is made, the page says by itself how far it is. Without this there is a link to look again.
const copies = document.querySelector("#copies");
const looking = setInterval(async () => {
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const found = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("#copies");
  copies.replaceChildren(...found.childNodes);
  if (!found.hasAttribute("data-working")) clearInterval(looking);
}, 3000);
