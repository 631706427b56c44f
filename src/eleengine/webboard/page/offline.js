// The service worker of an installed page: it keeps the files of the page, for when the board does not run.

const kept = () => caches.open("page");

addEventListener("install", (event) => {
  event.waitUntil(Promise.all([kept(), fetch("files.json").then((answer) => answer.json())]).then(([cache, files]) => cache.addAll(files)));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  event.respondWith(fetch(request).then(keep, () => caches.match(request)));

  // A newer board has newer files.
  async function keep(answer) {
    if (answer.ok) await (await kept()).put(request, answer.clone());
    return answer;
  }
});
