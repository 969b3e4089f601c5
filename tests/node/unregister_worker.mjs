// Run the `sw.js` of a server without offline mode in a simulated service worker, and report what it did. The
// argument tells whether the device is subscribed to notifications.
import { readFileSync } from 'node:fs'
import vm from 'node:vm'

const [worker, wanted] = process.argv.slice(2)
const done = []
const heard = {}
const names = ['diamonds / 01234567', 'somebody elses']
const given = {
  URL,
  location: new URL('https://cards.example/sw.js'),
  addEventListener: (what, hear) => (heard[what] = hear),
  skipWaiting: () => done.push('took over'),
  clients: { claim: async () => done.push('claimed') },
  caches: { keys: async () => names, delete: async (name) => done.push(`let go of ${name}`) },
  registration: {
    pushManager: { getSubscription: async () => (wanted === 'messages' ? {} : null) },
    unregister: async () => done.push('went'),
  },
}
given.self = given
vm.runInNewContext(readFileSync(worker, 'utf8'), given)
heard.install({})
await new Promise((ended) => heard.activate({ waitUntil: (task) => ended(task) }))
process.stdout.write(JSON.stringify({ done, hears: Object.keys(heard).sort() }))
