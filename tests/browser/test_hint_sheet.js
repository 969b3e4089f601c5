// Wait until the layout stays the same for six frames. Return the sheet's box (`at`), what it covers of the table
// (`over`), what the question covers (`question`; null if it is hidden), the sheet's buttons that are cut off (`cut`), and
// whether the sheet extends beyond the window (`out`) or shows its whole sentence (`whole`).
export const measureSheet = async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done))
  const moving = 'section.hint, .trick li, .hand .card, .spot'
  const look = () => JSON.stringify([...document.querySelectorAll(moving)].map((node) => node.getBoundingClientRect()))
  for (let before = '', same = 0, frames = 0; same < 6; await frame()) {
    if (++frames > 3600) throw new Error('The page does not come to rest.')
    const now = look()
    same = now === before ? same + 1 : 0
    before = now
  }
  const box = (node) => node.getBoundingClientRect()
  const sheet = box(document.querySelector('section.hint'))
  const says = box(document.querySelector('.hint .says'))
  const meet = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5
  const seen = '.trick li, .hand .card, .hinted, .target, .fought, .attack, .choices button, .pass, .seat, .discards, .steps, .supply, div.suit'
  const nodes = [...document.querySelectorAll(`main :is(${seen})`)].filter((node) => box(node).width)
  const under = (one) => nodes.filter((node) => meet(box(node), one)).map((node) => node.outerHTML.slice(0, 80))
  const question = box(document.querySelector('.status > span'))
  return {
    over: [...under(sheet), ...(meet(question, sheet) ? ['the question'] : [])],
    question: question.width ? under(question) : null,
    out: sheet.left < 0 || sheet.top < 0 || sheet.right > innerWidth + 0.5 || sheet.bottom > innerHeight + 0.5,
    // Return the buttons that the edge of the sheet cuts.
    cut: [...document.querySelectorAll('.hint .take .button')]
      .filter((node) => box(node).bottom > sheet.bottom + 0.5 || box(node).right > sheet.right + 0.5 || box(node).top < sheet.top - 0.5)
      .map((node) => node.textContent.trim()),
    whole: says.top >= sheet.top && says.bottom <= sheet.bottom + 0.5,
    at: [sheet.left, sheet.top, sheet.right, sheet.bottom].map(Math.round),
  }
}

// Press any legal answer from inside the page, wherever cards are after a resize.
export const pressAnswer = () => {
  const pass = document.querySelector('button.pass')
  if (!pass) {
    document.querySelector('.hand .card.open, .spot.open, button.target, .choices button:not([data-answer=pass])').click()
    return
  }
  for (const card of document.querySelectorAll('.hand .card:not([aria-pressed=true])')) if (pass.disabled) card.click()
  setTimeout(() => pass.click())
}

// Return, for each mark of a hint in the hand, its position in pixels from the left of its card, and the width of the
// uncovered strip of the card.
export const measureMarks = () =>
  [...document.querySelectorAll('.hand :is(.hinted, [data-as-good])')].map((card) => {
    const lamp = card.classList.contains('hinted')
    const style = getComputedStyle(card, lamp ? '::before' : '::after')
    const number = (name) => parseFloat(style[name]) || 0
    const width = number('width') + number('paddingLeft') + number('paddingRight')
    const left = number('left') - (lamp ? 0 : width / 2)
    const strip = card.offsetWidth * (parseFloat(card.parentElement.style.getPropertyValue('--seen')) || 1)
    return { card: card.dataset.card, lamp, left, right: left + width, strip }
  })

// Return, for each suit in the hint's sentence, the top of its box and of the box of the word beside it.
export const topsOfSuits = () =>
  [...document.querySelectorAll('.hint .says .joint')].map((one) => [...one.getClientRects()].map(({ top }) => Math.round(top)))
