export const readTipName = () => document.querySelector('.coach [data-tip]')?.dataset.tip ?? ''

// Return the visible text, with the symbol of each drawn suit.
export const readCoachText = (node) => {
  const copy = node.cloneNode(true)
  for (const spoken of copy.querySelectorAll('.unseen')) spoken.remove()
  for (const suit of copy.querySelectorAll('.suit'))
    suit.replaceWith({ D: '♦', H: '♥', S: '♠', C: '♣' }[suit.querySelector('use').getAttribute('href').at(-1)])
  return copy.textContent
}

// True if the game is over, or if a question is open without the tip of this name.
export const isNextQuestionOpen = (name) => document.querySelector('.end')
  || (document.querySelector('main.table').dataset.question && (!name || readTipName() !== name))

// Return the parts that the coach covers, and the page itself if it has grown beyond the window.
export const findCovered = () => {
  const coach = document.querySelector('.coach').getBoundingClientRect()
  const parts = [...document.querySelectorAll('.words, .actions, .own-hand, .own, .seat, .trick, .spot, .hand .card')]
  const meets = ({ left, right, top, bottom }) =>
    bottom > coach.top + 0.5 && top < coach.bottom - 0.5 && right > coach.left && left < coach.right
  const overflow = document.documentElement.scrollHeight - innerHeight
  return [
    ...parts.filter((part) => meets(part.getBoundingClientRect())).map((part) => part.getAttribute('class')),
    ...(overflow > 0 ? [`the page, ${overflow} pixels too long`] : []),
  ]
}

// Return the sentences that are larger than their box.
export const findLongSentences = (sentences) => {
  const box = document.querySelector('.coach .sentence')
  const words = box.querySelector('p')
  const text = words.querySelector('span')
  return sentences.filter((sentence) => {
    text.textContent = sentence
    return words.offsetHeight > box.clientHeight || words.offsetWidth > box.clientWidth
  })
}

// True if a press on the lamp above a marked card misses that card, as when the lamp covers another card.
export const lampIsNoButton = () => {
  const card = document.querySelector('.hand .hinted')
  const { left, width, top } = card.getBoundingClientRect()
  return !card.contains(document.elementFromPoint(left + width / 2, top - 6))
}
