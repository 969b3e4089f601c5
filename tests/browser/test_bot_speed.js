// 'asked' with an open question, 'waiting' while bots can be skipped.
export const readTurn = () => document.querySelector('main.table[data-question]') ? 'asked'
  : document.querySelector('.bar .hurry:enabled') ? 'waiting' : null

export const isCardGoneOrTurnOpen = (card) => !document.querySelector(`.hand .card[data-card=${card}]`)
  || document.querySelector('main.table[data-question]') !== null
