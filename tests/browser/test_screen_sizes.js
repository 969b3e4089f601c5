// Return overlapping parts, parts beyond the screen, and cut texts.
export const findLayoutErrors = () => {
  const box = (node) => node.getBoundingClientRect()
  const all = (css) => [...document.querySelectorAll(css)].filter((node) => box(node).width && box(node).height)
  const besides = '.supply, .round, .hands, div.suit, .legend, .steps, .discards'
  const selector = `.seat, .trick li, .hand, .coach, .happened > span, .status > span, .actions button, ${besides}`
  const parts = [...all(selector), ...all('.field')]
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
  const named = (node) => `${node.parentElement.className} ${node.className || node.localName} “${node.textContent.trim().slice(0, 20)}”`
  const within = (a, b) => a.contains(b) || b.contains(a)
  const overlapping = parts.flatMap((part, k) => parts.slice(k + 1)
    .filter((other) => !within(part, other) && meet(box(part), box(other)))
    .map((other) => `${named(part)} and ${named(other)} overlap`))
  const beyond = parts.filter((part) => box(part).bottom > innerHeight + 1 || box(part).right > innerWidth + 1 || box(part).left < -1)
    .map((part) => `${named(part)} is beyond the screen`)
  const cut = all('.happened > span').filter((text) => text.scrollHeight > text.clientHeight + 1)
    .map((text) => `${named(text)} is cut`)
  return [...overlapping, ...beyond, ...cut]
}

// Return the percentage of the table that cards and seats cover.
export const measureCoverage = () => {
  const cloth = document.querySelector('main.table').getBoundingClientRect()
  const boxes = [...document.querySelectorAll('.seat, .trick li .face, .hand .card')].map((node) => node.getBoundingClientRect())
  let covered = 0
  for (let k = 0; k < 14400; k++) {
    const x = cloth.x + (k % 120 + 0.5) / 120 * cloth.width
    const y = cloth.y + (Math.floor(k / 120) + 0.5) / 120 * cloth.height
    if (boxes.some((box) => x >= box.left && x < box.right && y >= box.top && y < box.bottom)) covered++
  }
  return covered / 144
}

// Return the parts of the table that the panel of bids covers, with the height covered.
export const findCoveredByBids = () => {
  const panel = document.querySelector('.bids').getBoundingClientRect()
  return [...document.querySelectorAll('.seat, .hand, .coach, .happened > span, .status > span')].flatMap((node) => {
    const box = node.getBoundingClientRect()
    const across = Math.min(box.right, panel.right) - Math.max(box.left, panel.left)
    const down = Math.min(box.bottom, panel.bottom) - Math.max(box.top, panel.top)
    return across > 0 && down > 0 ? [`${node.className || node.localName} by ${down} px`] : []
  })
}
