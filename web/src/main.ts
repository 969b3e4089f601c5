// The entry point: sets the language, mounts the app, and registers the service worker.
import { mount } from 'svelte'
import './app.css'
import App from './App.svelte'
import { sideChannel } from './client/sideChannel.svelte'
import { bestLanguage, setLanguage } from './client/i18n.svelte'
import { settings } from './components/settings.svelte'

void setLanguage(bestLanguage(settings.language))
mount(App, { target: document.body })

// What a browser offers once and early, to install the page, the settings have for whoever looks for it; nobody is asked.
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  sideChannel.installPrompt = event
})

// Once the page is there and has fetched nothing for a while, it is kept, to open without its server; unless the server wants it otherwise.
const quiet = setInterval(() => {
  const last = performance.getEntriesByType('resource').at(-1)
  if (!last || performance.now() - last.startTime < 3000) return
  clearInterval(quiet)
  if (!('online' in document.documentElement.dataset)) void navigator.serviceWorker?.register('/sw.js')
}, 1000)
