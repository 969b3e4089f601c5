// Return whether a card flies or fades. Endless animations do not count.
export const isAnimating = () => document.getAnimations().some(
  (animation) => animation.playState === 'running' && animation.effect?.getTiming().iterations !== Infinity)

// The open question and the positions of all its answers, unless the page is about to answer it. A card's corner is
// always visible, so the card is pressed there.
export const readQuestion = () => {
  if (document.querySelector('.end')) return { over: true }
  const question = document.querySelector('main.table')?.dataset.question
  if (!question || document.querySelector('.automatic')) return null
  const position = (node) => {
    const box = node.getBoundingClientRect()
    const card = node.classList.contains('card')
    return {
      name: node.dataset.card ?? node.dataset.pile ?? node.dataset.answer ?? node.textContent.trim(),
      x: box.x + (card ? 9 : box.width / 2), y: box.y + (card ? 12 : box.height / 2),
    }
  }
  const all = (selector) => [...document.querySelectorAll(selector)].map(position)
  return {
    over: false, question,
    cards: all('.hand .card.open'), piles: all('.spot.open'),
    choices: all('.choices button'), targets: all('button.target'),
  }
}

// The result of `readQuestion` once nothing moves, because a card is pressed where it comes to rest.
export const readQuestionAtRest = () => (isAnimating() ? null : readQuestion())

// Replace the page's random numbers, which enter the shuffle. They differ for every page and person, but are the same
// in every run.
export const seedRandom = (seed) => {
  const load = localStorage.loads = 1 + Number(localStorage.loads ?? 0)
  let state = seed * 65536 + load
  crypto.getRandomValues = (bytes) => bytes.map(() => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 24)
}

// End the pauses that let a player look only when the test calls `goOn`.
export const deferTimeouts = () => {
  const later = []
  const soon = window.setTimeout
  window.setTimeout = (go, wait, ...more) => (wait >= 700 && wait < 4000 ? later.push(go) : soon(go, wait, ...more))
  window.goOn = () => later.splice(0).forEach((go) => go())
}

// Follow a link within the page and wait until the old `main` has gone. If source and target share a component (two
// rules pages), it stays, and the function throws an error after 3600 frames.
export const followLink = async (path) => {
  const old = document.querySelector('main')
  const link = Object.assign(document.createElement('a'), { href: path })
  old.append(link)
  link.click()
  for (let frames = 0; old.isConnected; frames++) {
    if (frames > 3600) throw new Error(`The page before ${path} is still there.`)
    await new Promise((done) => requestAnimationFrame(done))
  }
}

export const detectTap = () => {
  window.tapped = false
  addEventListener('click', () => (window.tapped = true), { capture: true, once: true })
}

// Return the texts that a screen reader speaks, without drawings.
export const readAccessibleTexts = (nodes) => nodes.map((node) => {
  const copy = node.cloneNode(true)
  for (const drawing of copy.querySelectorAll('[aria-hidden=true]')) drawing.remove()
  return copy.textContent.trim()
})

export const readShownState = () => {
  const all = (selector) => [...document.querySelectorAll(selector)]
  const { n, question } = document.querySelector('main.table').dataset
  return {
    n, question,
    hand: all('.hand .card').map((card) => card.dataset.card),
    open: all('.hand .card.open, .spot.open').map((node) => node.getAttribute('aria-label')),
    trick: all('.trick li').map((card) => card.dataset.trick),
    seats: all('.seat').map((seat) => [...seat.children].map((part) => part.textContent).join(' ')),
    status: document.querySelector('.status')?.textContent,
  }
}

// Return 'asked' if a question is open, 'waiting' while bots can be skipped, and otherwise `null`.
export const readTurn = () => document.querySelector('main.table[data-question]') ? 'asked'
  : document.querySelector('.bar .hurry:enabled') ? 'waiting' : null
