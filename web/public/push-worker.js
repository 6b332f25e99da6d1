// Shows reminders that are pushed to this browser, and opens the page of the one that is pressed. Browsers that know
// declarative pushes (the same messages) do it without this file. It keeps nothing, and no request passes through it.

self.addEventListener('push', (event) => event.waitUntil(show(event.data.json().notification)))

/** Shows a notice instead of an earlier one of its tag. It alerts the viewer again unless it says the same. */
async function show({ title, body, tag, navigate, timestamp }) {
  const shown = await self.registration.getNotifications({ tag })
  await self.registration.showNotification(title, {
    body,
    tag,
    renotify: shown.every((one) => one.body !== body),
    timestamp,
    icon: '/icons/icon-192.png',
    data: { navigate },
  })
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const url = new URL(event.notification.data.navigate, self.location.origin)
  // A message of another site opens nothing of it.
  if (url.origin !== self.location.origin) return
  event.waitUntil(open(url.href))
})

/** Focuses a page that shows the address already, or opens it. */
async function open(href) {
  const pages = await self.clients.matchAll({ type: 'window' })
  const page = pages.find(({ url }) => url === href)
  await (page ? page.focus() : self.clients.openWindow(href))
}
