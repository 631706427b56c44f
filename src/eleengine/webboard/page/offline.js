// The service worker: what is shown when the board does not run. Nothing else is kept.

const KEPT = ["offline.html", "style.css", "icon.svg"];

addEventListener("install", (event) => event.waitUntil(caches.open("offline").then((cache) => cache.addAll(KEPT))));

addEventListener("fetch", (event) => {
  const { request } = event;
  const kept = KEPT.includes(new URL(request.url).pathname.slice(1));
  if (request.mode === "navigate" || kept) {
    event.respondWith(fetch(request).catch(() => caches.match(kept ? request : "offline.html")));
  }
});
