// Fourteen, as the page needs it.
import type { FourteenView, Told } from '../../client/types'
import type { Game } from '../contract'
import { changed, dealt, tricks } from '../tricks'
import FourteenBoard from './FourteenBoard.svelte'
import { makers } from './suit'
import { say } from '../../client/i18n.svelte'

/** What an event changes besides the cards. */
function moved(view: FourteenView, { event, seat, diamonds, total }: Told['event']): Partial<FourteenView> {
  if (event === 'trick') return { taken: changed(view.taken, seat, (number) => number + diamonds) }
  if (event === 'scored') return { totals: changed(view.totals, seat, () => total) }
  return {}
}

const fourteen: Game<FourteenView> = {
  Board: FourteenBoard,
  help: () => import('./FourteenHelp.svelte'),
  pad: () => import('./FourteenScorePad.svelte'),
  asks: {
    // Fourteen bids take two rows of a phone: in the middle is nothing yet that they could hide.
    bid: { numbers: { spoken: (one) => say('page-fourteen-bid', { number: one }), suit: 'D' }, over: true, together: true },
    play: { cards: true, trick: true },
  },
  answers: {},
  marks: {
    drawing: 'mark-fourteen',
    says: 'page-fourteen-makes',
    cards: makers,
  },
  cut: (view) => ({ cards: view.cut, seat: view.dealer, does: 'page-deals' }),
  dealt,
  tricks: tricks(moved),
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
  coach: () => import('./coach'),
}
export default fourteen
