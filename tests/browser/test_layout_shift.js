// An event stream whose messages the test sends with `tell`.
export const fakeStream = () => {
  window.EventSource = class {
    constructor() { window.stream = this; setTimeout(() => this.onopen()) }
    addEventListener() {}
    close() {}
  }
  window.tell = async (message) => {
    window.stream.onmessage({ data: message })
    for (let k = 0; k < 2; k++) await new Promise((drawn) => requestAnimationFrame(drawn))
  }
}

// Return the position of everything at the seats and in the middle, except crystals and bars, which grow, and words
// after numbers.
export const readPositions = () => {
  const places = {}
  const grows = '.crystals *, .fill, .seven *, .word, .note, svg *, .thief'
  const path = (node) => node.matches('main') ? '' :
    `${path(node.parentElement)} ${node.getAttribute('class')?.split(' ')[0] ?? node.localName}:${[...node.parentElement.children].indexOf(node)}`
  const fixed = '.seat, .seat *, .supply, .supply b, .round, .round span:first-child, .hands, .spot, .steps *, .words, .actions, .own-hand'
  for (const node of document.querySelectorAll(`main :is(${fixed})`)) {
    if (node.matches(grows)) continue
    const { x, y } = node.getBoundingClientRect()
    places[path(node)] = `${x.toFixed(2)} ${y.toFixed(2)}`
  }
  return places
}

// Return the elements that extend beyond their seat.
export const findClipped = () => [...document.querySelectorAll('.seat *')].filter((node) => {
  if (node.closest('svg, .crystals, .unseen')) return false
  const [own, seat] = [node, node.closest('.seat')].map((element) => element.getBoundingClientRect())
  return own.width && (own.right > seat.right + 0.5 || own.left < seat.left - 0.5 || own.bottom > seat.bottom + 0.5)
}).map((node) => `${node.className}: ${node.textContent}`)

// Return the buttons that cover something.
export const findCovered = () => {
  const box = (node) => node.getBoundingClientRect()
  const all = (selector) => [...document.querySelectorAll(selector)]
  const meet = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5
  const parts = all('.seat, .supply, .round, .hands, div.suit, .legend, .trick li, .words, .hand .card').filter((node) => box(node).width)
  return all('.choices, .over, .pass').flatMap((node) =>
    parts.filter((part) => meet(box(node), box(part))).map((part) => `${node.className} covers ${part.className}`))
}

// The pixels of the page below the fold, and the pixels by which the hand covers the player's own seat.
export const measureOverflow = () => [
  document.documentElement.scrollHeight - innerHeight,
  document.querySelector('.own').getBoundingClientRect().bottom - document.querySelector('.own-hand').getBoundingClientRect().top,
]

// The distances of the log's first and last line from its visible part, and the number of lines.
export const measureLog = () => {
  const log = document.querySelector('.log')
  const box = (node) => node.getBoundingClientRect()
  const { top, bottom } = box(log)
  return { first: top - box(log.firstElementChild).top, last: box(log.lastElementChild).bottom - bottom, n: log.querySelectorAll('p').length }
}
