// The client's description of fourteen.
import type { EventInfo, FourteenView } from '../../client/types'
import { SYMBOLS, cardSymbols, rankNumber, rankOf, suitOf } from '../../components/cards'
import type { GameUi, PromptContext } from '../gameUi'
import { replaceAt, dealtCards, trickUi } from '../tricks'
import FourteenBoard from './FourteenBoard.svelte'
import { addsToFourteen, highestOf, cardsChangingSuit } from './currentSuit'
import { TRICKS, type FourteenFrameView } from './points'
import { t } from '../../client/i18n.svelte'

/** Return what an event changes other than the cards. */
function applyEvent(view: FourteenView, { event, seat, diamonds, total }: EventInfo['event']): Partial<FourteenFrameView> {
  if (event === 'trick') return { taken: replaceAt(view.taken, seat, (number) => number + diamonds) }
  if (event === 'scored') return { totals: replaceAt(view.totals, seat, () => total), isScored: true }
  return {}
}

/** Return the prompt: the card to beat, and the effect of a card that makes fourteen (F5–F7). */
function asksToPlay({ view, hand, name }: PromptContext<FourteenView>): string {
  if (!view.suit) return t(hand.length === 1 ? 'page-ask-last-card' : 'page-fourteen-ask-lead')
  const { suit: current, trick, seats } = view
  const suit = SYMBOLS[current]
  const makers = [...cardsChangingSuit(view, hand)]
  const following = hand.filter((card) => suitOf(card) === current)
  const playable = new Set([...following, ...makers])
  if (following.length && playable.size === 1) return t('page-fourteen-ask-only', { card: cardSymbols(following[0]!) })
  if (hand.length === 1 && !makers.length) return t('page-ask-last-void', { suit })
  const [maker] = makers
  if (maker && makers.length === 1) {
    const other = trick.slice(-1 - view.match).findLast((one) => addsToFourteen(one, maker))!
    const best = [...trick, maker][highestOf([...trick, maker], suitOf(maker))]!
    const sum = `${rankOf(other)} + ${rankOf(maker)}`
    return t(following.length ? 'page-fourteen-ask-turn-one' : 'page-fourteen-ask-void-turn-one', {
      suit, card: cardSymbols(maker), sum, turned: SYMBOLS[suitOf(maker)], result: best === maker ? 'ahead' : 'lower', higher: cardSymbols(best),
    })
  }
  if (maker) return following.length ? t('page-fourteen-ask-turn', { suit }) : t('page-fourteen-ask-void-turn', { suit })
  const ahead = highestOf(trick, current)
  const winner = name((view.leader! + ahead) % seats)
  if (!following.length) {
    const order = trick.length === seats - 1 ? 'last' : 'open' // a later fourteen may still change the suit (F7)
    const gives = view.scoring !== TRICKS && hand.some((card) => suitOf(card) === 'D') ? order : 'no'
    return t('page-fourteen-ask-void', { suit, order, gives, name: winner }).trimEnd()
  }
  const card = cardSymbols(trick[ahead]!)
  const number = trick.filter((one) => suitOf(one) === 'D').length // F8
  if (following.every((one) => rankNumber(one) < rankNumber(trick[ahead]!))) return t('page-fourteen-ask-below', { suit, card, name: winner })
  return t('page-fourteen-ask-follow', { suit, card, name: winner, number: view.scoring === TRICKS ? 'trick' : number })
}

/** Return the text of a won trick. Where tricks score (F11), it is a point whatever ♦ lie in it. */
function eventText({ event, diamonds }: EventInfo['event'], { scoring }: FourteenView, seat: string, isLast: boolean): string {
  if (event !== 'trick' || (scoring !== TRICKS && !isLast)) return ''
  if (scoring !== TRICKS) return t('page-fourteen-last-trick', { seat, diamonds })
  return isLast ? t('page-fourteen-last-trick-point', { seat }) : t('page-fourteen-trick-point', { seat })
}

/** Return who won, or that another hand follows. At the target, the highest total wins (F8); an event says if it is shared. */
function handOutcome({ totals, target, over }: FourteenView, name: (seat: number) => string): string {
  const best = Math.max(...totals)
  if (!over) return best < target ? t('page-fourteen-hand-next', { target }) : ''
  return totals.filter((total) => total === best).length === 1 ? t('page-fourteen-hand-won', { seat: name(totals.indexOf(best)) }) : ''
}

const fourteen: GameUi<FourteenView> = {
  Board: FourteenBoard,
  eventText,
  help: () => import('./FourteenHelp.svelte'),
  pad: () => import('./FourteenScorePad.svelte'),
  questions: {
    // Fourteen bid buttons take two rows on a phone. The center is still empty, so they may cover it.
    bid: { asks: () => t('page-fourteen-ask-bid'), numbers: { label: (one) => t('page-fourteen-bid', { number: one }), suit: 'D' }, overCenter: true, simultaneous: true },
    play: { asks: asksToPlay, cards: true, trick: true },
  },
  answers: {},
  marks: {
    drawing: 'mark-fourteen',
    says: 'page-fourteen-makes',
    cards: cardsChangingSuit,
  },
  handSize: dealtCards,
  tricks: trickUi<FourteenFrameView>(applyEvent),
  dealLabel: 'page-fourteen-deal',
  summary: {
    title: () => t('page-fourteen-hand-over'),
    outcome: handOutcome,
    endEvents: ['scored'],
    firstEvents: ['scored'],
    events: ['trick', 'scored', 'again'],
  },
  scores: {
    title: 'page-game-over-points',
    standings: (view) => view.totals,
    curve: { title: 'page-fourteen-hands', scores: (view) => view.totals, stretch: (view) => view.deals },
  },
  coach: () => import('./coach'),
  directEffect: () => import('./directEffect'),
  difference: () => import('./difference'),
  standing: () => import('./standing'),
}
export default fourteen
