export const isCardGoneOrTurnOpen = (card) => !document.querySelector(`.hand .card[data-card=${card}]`)
  || document.querySelector('main.table[data-question]') !== null
