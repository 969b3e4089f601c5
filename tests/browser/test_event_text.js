// Return the lines of the log, with the symbol of each drawn suit.
export const readLog = () => [...document.querySelectorAll('.log p')].map((line) => {
  const copy = line.cloneNode(true)
  for (const spoken of copy.querySelectorAll('.unseen')) spoken.remove()
  for (const card of copy.querySelectorAll('.card')) {
    const suit = card.querySelector('use').getAttribute('href').at(-1)
    card.textContent = { D: '♦', H: '♥', S: '♠', C: '♣' }[suit] + card.textContent.trim()
  }
  return copy.textContent
})
