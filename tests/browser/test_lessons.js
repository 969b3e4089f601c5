// Return the ids of sentences higher than their box. All are laid out together, in the width of the displayed sentence,
// with drawn suits.
export const findTallSentences = (sentences) => {
  const [task, span] = ['.task', '.task .says > span'].map((selector) => document.querySelector(selector))
  const suit = span.querySelector('svg').outerHTML
  const { width } = span.parentElement.getBoundingClientRect()
  const laidOut = sentences.map(([id, text]) => {
    const node = span.cloneNode()
    node.innerHTML = text.replace(/[♦♥♠♣]/g, suit)
    node.style = `position: absolute; width: ${width}px`
    return [id, node]
  })
  span.parentElement.append(...laidOut.map(([, node]) => node))
  const maxHeight = task.getBoundingClientRect().height - 2
  const tooHigh = laidOut.filter(([, node]) => node.getBoundingClientRect().height > maxHeight).map(([id]) => id)
  for (const [, node] of laidOut) node.remove()
  return tooHigh
}

// Return the index of a card or an answer among those displayed, and the number of buttons.
export const findAnswer = (value) => {
  const cards = [...document.querySelectorAll('.hand .card')].map((card) => card.dataset.card)
  const buttons = [...document.querySelectorAll('.choices button, button.target')].map((button) => button.dataset.answer ?? '')
  return { card: cards.indexOf(value), buttons: buttons.length, button: buttons.indexOf(value) }
}
