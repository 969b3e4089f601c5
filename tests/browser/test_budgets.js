// Record layout shifts after the first cards, with their sources.
export const recordShifts = () => {
  window.opened = { cards: 0, shifts: [] }
  new MutationObserver(() => {
    if (document.querySelector('.hand .card') && !window.opened.cards) window.opened.cards = performance.now()
  }).observe(document, { childList: true, subtree: true, attributes: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (window.opened.cards && entry.startTime > window.opened.cards + 50 && !entry.hadRecentInput)
        window.opened.shifts.push([entry.value, ...entry.sources.map((source) => [
          source.node?.outerHTML?.slice(0, 90) ?? source.node?.data,
          ...[source.previousRect, source.currentRect].map(({ x, y, width, height }) => [x, y, width, height]),
        ])])
  }).observe({ type: 'layout-shift', buffered: true })
}

// Press any legal answer; in mines, never pass.
export const pressAnswer = () => {
  const pass = document.querySelector('button.pass')
  if (pass) {
    for (const card of document.querySelectorAll('.hand .card')) if (pass.disabled) card.click()
    setTimeout(() => pass.click())
  } else {
    document.querySelector('.hand .card.open, .spot.open, button.target, .choices button:not([data-answer=pass])').click()
  }
}
