// The entry point: sets the language, mounts the app, and registers the service worker.
import { mount } from 'svelte'
import './app.css'
import App from './App.svelte'
import { globalEvents } from './client/globalEvents.svelte'
import { bestLanguage, setLanguage } from './client/i18n.svelte'
import { settings } from './components/settings.svelte'

void setLanguage(bestLanguage(settings.language))
mount(App, { target: document.body })

// Browsers offer installation only once and early. The offer is kept for the settings page, and nobody is prompted.
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  globalEvents.installPrompt = event
})

// When the page has loaded nothing for a while, install the service worker for offline use, unless the server disables
// it.
const quiet = setInterval(() => {
  const last = performance.getEntriesByType('resource').at(-1)
  if (!last || performance.now() - last.startTime < 3000) return
  clearInterval(quiet)
  if (!('online' in document.documentElement.dataset)) void navigator.serviceWorker?.register('/sw.js')
}, 1000)
