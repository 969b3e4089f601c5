// Record in `window.flown` each card that leaves the trick, with the seat nearest to the end of its flight. Only the
// end counts, because a card that was still arriving starts somewhere on its way.
export const recordFlights = () => {
  window.flown = []
  const animate = Element.prototype.animate
  Element.prototype.animate = function (frames, ...more) {
    const flight = animate.call(this, frames, ...more)
    const away = /translate\((-?[\d.]+)px, (-?[\d.]+)px\)/.exec([...frames].at(-1)?.transform ?? '')
    if (this.matches('[data-trick]') && away?.slice(1).some(Number)) {
      const middle = (node) => {
        const box = node.getBoundingClientRect()
        return [box.x + box.width / 2, box.y + box.height / 2]
      }
      flight.currentTime = flight.effect.getComputedTiming().endTime - 0.01
      const [x, y] = middle(this)
      flight.currentTime = 0
      const distance = (seat) => {
        const [seatX, seatY] = middle(seat)
        return Math.hypot(seatX - x, seatY - y)
      }
      const seat = [...document.querySelectorAll('.seat')].sort((a, b) => distance(a) - distance(b))[0]
      window.flown.push([this.dataset.trick, seat.dataset.spot])
    }
    return flight
  }
}

// Collect in `window.seen` each state of the table: cards in the trick, summary, and each seat's tricks and cards taken.
export const recordNumbers = () => {
  window.seen = []
  new MutationObserver(() => {
    const numbers = (selector) => [...document.querySelectorAll(`.seat ${selector}`)].map((node) => parseInt(/\d+/.exec(node.textContent)?.[0] ?? 0))
    const now = {
      cards: document.querySelectorAll('.trick li').length,
      summary: [...document.querySelectorAll('.summary p')].map((line) => line.textContent).join(' '),
      standings: document.querySelector('.summary .standings')?.textContent ?? '',
      tricks: numbers('.tricks'),
      taken: numbers(':is(.counts [title]:not(.tricks), .now b)'),
    }
    if (now.taken.length && JSON.stringify(now) !== JSON.stringify(window.seen.at(-1))) window.seen.push(now)
  }).observe(document, { childList: true, subtree: true, characterData: true, attributes: true })
}

// Never end the pauses that show a finished trick.
export const keepTrick = () => {
  const soon = window.setTimeout
  window.setTimeout = (run, delay, ...more) => (delay >= 900 ? -1 : soon(run, delay, ...more))
}

// Return the parts that a summary covers, and 'the edge' if part of it is outside the screen.
export const findSummaryOverlaps = () => {
  const all = (selector) => [...document.querySelectorAll(selector)].filter((node) => node.checkVisibility({ visibilityProperty: true }))
  const summary = document.querySelector('.summary')
  const box = summary.getBoundingClientRect()
  const over = ({ left, right, top, bottom }) => left < box.right && right > box.left && top < box.bottom && bottom > box.top
  return [
    ...all('main :is(.seat, .status span, .hand .card, .actions button), .bar')
      .filter((node) => over(node.getBoundingClientRect())).map((node) => node.outerHTML.slice(0, 80)),
    ...(box.left < 0 || box.right > innerWidth || box.bottom > innerHeight || summary.scrollHeight > summary.clientHeight + 1 ? ['the edge'] : []),
  ]
}

// Return by how many pixels the news extends beyond its box, and whether it is clamped. A single sentence may extend
// above the box.
export const measureNews = () => {
  const news = document.querySelector('.happened > span')
  const box = document.querySelector('.happened')
  const text = news.textContent
  const sentences = text.split(/[.!]\s/).length
  const wide = Math.max(0, Math.round(news.getBoundingClientRect().width - box.clientWidth))
  const high = sentences > 1 ? Math.max(0, Math.round(news.offsetHeight - box.clientHeight - 1)) : 0
  return { text, beyond: wide + high, clamped: getComputedStyle(news).webkitLineClamp !== 'none' || news.scrollHeight > news.offsetHeight + 1 }
}
