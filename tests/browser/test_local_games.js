// Skip pauses that let a player look.
export const shortenTimeouts = () => {
  const later = window.setTimeout
  window.setTimeout = (go, wait, ...more) => later(go, wait < 2500 ? 0 : wait, ...more)
}

// Answer every question through the page until the game is over; in mines, pass only if nothing else is legal.
export const playOn = async (seed) => {
  const all = (selector) => [...document.querySelectorAll(selector)]
  const changed = () => new Promise((done, failed) => {
    const timeout = setTimeout(() => failed(new Error('Nothing has changed for five minutes.')), 300000)
    const observer = new MutationObserver(() => (observer.disconnect(), clearTimeout(timeout), done()))
    observer.observe(document, { subtree: true, childList: true, attributes: true })
  })
  const draw = (nodes) => nodes[((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) >>> 16) % nodes.length]
  for (let last = ''; !all('.end').length; await changed()) {
    const { n, question } = all('main.table')[0].dataset
    const [pass] = all('button.pass')
    if (!question || n === last || all('.automatic').length) continue
    if (pass?.disabled) {
      all('.hand .card.open:not(.raised)')[0].click()
      continue
    }
    last = n
    const choices = all('.choices button')
    const actions = choices.filter((choice) => choice.dataset.answer !== 'pass')
    const answers = ['.hand .card.open', '.spot.open', 'button.target'].flatMap(all).concat(actions)
    ;(pass ?? draw(answers.length ? answers : choices)).click()
  }
}

export const readStoredNames = () => new Promise((found) => {
  indexedDB.open('diamonds').onsuccess = ({ target: { result } }) => {
    result.transaction('tables').objectStore('tables').getAll().onsuccess = ({ target }) => found(target.result.map((table) => table.name))
  }
})

export const readCachedPaths = async () => {
  const requests = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
  return requests.flat().map(({ url }) => new URL(url).pathname)
}

// Press any legal answer.
export const pressAnswer = () => {
  const first = (selector) => document.querySelector(selector)
  ;(first('.choices button') ?? first('.spot.open') ?? first('button.target') ?? first('.hand .card.open')).click()
}
