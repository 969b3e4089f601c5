// The client's description of fourteen.
import type { EventInfo, FourteenView } from '../../client/types'
import { SYMBOLS, cardSymbols, suitOf } from '../../components/cards'
import type { GameUi, PromptContext } from '../gameUi'
import { replaceAt, dealtCards, trickUi } from '../tricks'
import FourteenBoard from './FourteenBoard.svelte'
import { makesFourteenWith } from './currentSuit'
import { t } from '../../client/i18n.svelte'

/** Return what an event changes other than the cards. */
function applyEvent(view: FourteenView, { event, seat, diamonds, total }: EventInfo['event']): Partial<FourteenView> {
  if (event === 'trick') return { taken: replaceAt(view.taken, seat, (number) => number + diamonds) }
  if (event === 'scored') return { totals: replaceAt(view.totals, seat, () => total) }
  return {}
}

/** Return why the question is asked: whether to follow suit, and whether a card changes it (F5, F6). */
function asksToPlay({ view, hand }: PromptContext<FourteenView>): string {
  if (!view.suit) return t(hand.length === 1 ? 'page-ask-last-card' : 'page-fourteen-ask-lead')
  const suit = SYMBOLS[view.suit]
  const makers = makesFourteenWith(view, hand)
  const turns = makers.size > 0
  const number = view.scoring === 2 ? 0 : view.trick.filter((card) => suitOf(card) === 'D').length // F8
  const playable = hand.filter((card) => suitOf(card) === view.suit || makers.has(card))
  if (hand.some((card) => suitOf(card) === view.suit) && playable.length === 1) return t('page-fourteen-ask-only', { card: cardSymbols(playable[0]!) })
  if (hand.some((card) => suitOf(card) === view.suit)) return turns ? t('page-fourteen-ask-turn', { suit }) : t('page-fourteen-ask-follow', { suit, number })
  if (hand.length === 1 && !turns) return t('page-ask-last-void', { suit })
  return turns ? t('page-fourteen-ask-void-turn', { suit }) : t('page-fourteen-ask-void', { suit })
}

const fourteen: GameUi<FourteenView> = {
  Board: FourteenBoard,
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
    cards: makesFourteenWith,
  },
  handSize: dealtCards,
  tricks: trickUi(applyEvent),
  dealLabel: 'page-fourteen-deal',
  summary: {
    title: () => t('page-fourteen-hand-over'),
    endEvents: ['scored'],
    firstEvents: ['scored'],
    events: ['scored', 'again'],
  },
  scores: {
    title: 'page-game-over-points',
    standings: (view) => view.totals,
    curve: { title: 'page-fourteen-hands', scores: (view) => view.totals, stretch: (view) => view.deals },
  },
  coach: () => import('./coach'),
  directEffect: () => import('./directEffect'),
  standing: () => import('./standing'),
}
export default fourteen
