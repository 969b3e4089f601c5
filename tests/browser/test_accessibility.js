// Return the violations that axe finds. It skips the contrast of invisible elements, so the page is painted meanwhile.
export const findViolations = async () => {
  const skipPaint = document.adoptedStyleSheets
  document.adoptedStyleSheets = []
  const found = await window.axe.run(document, { resultTypes: ['violations'] })
  document.adoptedStyleSheets = skipPaint
  return found.violations
}

export const findSmallTargets = () => [...document.querySelectorAll('button, a, select, input')].flatMap((node) => {
  const box = node.getBoundingClientRect()
  const label = `${node.outerHTML.slice(0, 120)} at ${Math.round(box.x)}, ${Math.round(box.y)}`
  if (!box.width || node.tabIndex < 0 && !node.matches('.card, .spot')) return []
  if (node.matches('.skip')) return []
  // A card in a fan can be pressed from its corner to the next card: 44 pixels in both directions.
  if (node.matches('.hand .card')) {
    for (const [dx, dy] of [[4, 6], [39, 6], [4, 41], [39, 41]]) {
      const top = document.elementFromPoint(box.x + dx, box.y + dy)
      if (top?.closest('button') !== node) return [`${label}, under ${top?.outerHTML.slice(0, 120)}`]
    }
    return []
  }
  return box.width < 43.5 || box.height < 43.5 ? [label] : []
})

export const findCoveredCards = () => [...document.querySelectorAll('.hand .card')].filter((card) => {
  const box = card.getBoundingClientRect()
  return document.elementFromPoint(box.x + 6, box.y + 8)?.closest('button') !== card
    || document.elementFromPoint(box.x + 38, box.y + 40)?.closest('button') !== card
}).map((card) => card.dataset.card)

// Return the elements and pseudo-elements with a transition of more than 0 s.
export const findTransitions = () => [...document.querySelectorAll('*')].flatMap((node) => ['', '::before', '::after']
  .filter((part) => getComputedStyle(node, part).transitionDuration.split(', ').some((time) => parseFloat(time) > 0))
  .map((part) => `${node.localName}.${node.getAttribute('class')}${part}`))
