// Record in `up` that the worker has shown a notification. Chromium loses a notification if its list is read while it
// is being shown (9 of 40 were lost), so tests read the list afterwards.
export const recordNotifications = () => {
  self.up = false
  const { registration } = self
  registration.showNotification = async (...message) => {
    await ServiceWorkerRegistration.prototype.showNotification.apply(registration, message)
    self.up = true
  }
}

// Subscribe without a push service: the keys and the endpoint are given.
export const fakeSubscription = ({ endpoint, p256dh, auth }) => {
  PushManager.prototype.subscribe = async function (options) {
    window.applicationServerKey = options.applicationServerKey
    return { toJSON: () => ({ endpoint, keys: { p256dh, auth } }) }
  }
}

// Let the test hide the page with `hide`, and shorten the pause of 20 s before a hidden page closes its stream.
export const controlVisibility = () => {
  let hidden = false
  Object.defineProperty(document, 'hidden', { get: () => hidden })
  window.hide = (isHidden) => {
    hidden = isHidden
    document.dispatchEvent(new Event('visibilitychange'))
  }
  const soon = window.setTimeout
  window.setTimeout = (run, delay, ...more) => soon(run, delay === 20000 ? 1 : delay, ...more)
}

export const readNotifications = async () =>
  (await self.registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }))

export const clickNotification = async () => {
  const [notification] = await self.registration.getNotifications()
  dispatchEvent(new self.NotificationEvent('notificationclick', { notification }))
}

// Close answered notifications again and again; `late` does it once more, with and without an open turn.
export const closeRepeatedly = async ([file, turns]) => {
  const { closeAnswered } = await import(`/assets/${file}`)
  const next = () => closeAnswered(turns).then(() => setTimeout(next))
  next()
  window.late = () => Promise.all([closeAnswered('{"turns": []}'), closeAnswered(turns)])
}
