// True if a card has left the hand, or if the player's question is open.
export const isCardGoneOrTurnOpen = (card) => !document.querySelector(`.hand .card[data-card=${card}]`)
  || document.querySelector('main.table[data-question]') !== null
