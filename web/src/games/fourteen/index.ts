// Fourteen, as the page needs it.
import type { FourteenView } from '../../net/types'
import { rankNumber } from '../../parts/cards'
import type { Game } from '../contract'
import { dealt, tricks } from '../tricks'
import Fourteen from './Fourteen.svelte'
import Help from './Help.svelte'
import { say } from '../../net/words.svelte'

/** F5: whether two cards of the short pack add up to fourteen. */
const makeFourteen = (a: string, b: string): boolean => rankNumber(a) + rankNumber(b) === 14

const fourteen: Game<FourteenView> = {
  Board: Fourteen,
  Help,
  asks: {
    // Fourteen bids take two rows of a phone: in the middle is nothing yet that they could hide.
    bid: { numbers: { spoken: (one) => say('page-fourteen-bid', { number: one }), suit: 'D' }, over: true, together: true },
    play: { cards: true, trick: true },
  },
  answers: {},
  marks: {
    drawing: 'mark-fourteen',
    says: 'page-fourteen-makes',
    /** F5, F9: the own cards that make fourteen with the last card, or with either of the last two. */
    cards(view, hand) {
      const last = view.trick.slice(view.match ? -2 : -1)
      return new Set(hand.filter((card) => last.some((other) => makeFourteen(card, other))))
    },
  },
  cut: (view) => ({ cards: view.cut, seat: view.dealer, does: 'page-deals' }),
  dealt,
  tricks: tricks(['totals']),
  deal: 'page-fourteen-deal',
  summary: {
    title: () => say('page-fourteen-hand-over'),
    ends: ['scored'],
    from: ['scored'],
    tells: ['scored', 'again'],
  },
  scores: {
    title: 'page-over-points',
    curve: { title: 'page-fourteen-hands', scores: (view) => view.totals, stretch: (view) => view.deals },
  },
}
export default fourteen
