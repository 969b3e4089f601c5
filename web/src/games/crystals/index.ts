// Crystals, as the page needs it.
import type { CrystalsView, Told } from '../../net/types'
import type { Flight } from '../../parts/scene'
import type { Game } from '../contract'
import { dealt, tricks } from '../tricks'
import Crystals from './Crystals.svelte'
import Help from './Help.svelte'
import Scores from './Scores.svelte'
import { say } from '../../net/words.svelte'

/** The crystals that moved, in order. */
function flights(told: readonly Told[], view: CrystalsView): Flight[] {
  const all: Flight[] = []
  const at = (kind: string, seat: number) => `${kind}-${view.team[seat] ?? seat}`
  told.forEach(({ n, event }, index) => {
    const { seat, victim } = event
    const key = `${n}.${index}.${event.event}`
    if (event.event === 'diamond') all.push({ key, from: 'supply', to: at('vault', seat) })
    if (event.event === 'heart') all.push({ key, from: 'supply', to: at('showroom', seat) })
    if (event.event === 'spade') all.push({ key, from: at('showroom', seat), to: at('vault', seat) })
    if (event.event === 'club') all.push({ key, from: at('showroom', victim), to: at('showroom', seat) })
  })
  return all
}

const crystals: Game<CrystalsView> = {
  Board: Crystals,
  Help,
  asks: {
    count: { numbers: { spoken: (one) => say('page-crystals-pass', { number: one }) } },
    pass: {
      cards: true,
      several: {
        wanted: (view, seat) => view.passing - (view.chosen[seat]?.length ?? 0),
        receiver: (view, seat) => view.passes_to[seat] ?? null,
      },
      together: true,
    },
    play: { cards: true, trick: true },
    victim: { places: 'with buttons', seats: true },
  },
  answers: {},
  signs: true,
  cut: (view) => ({ cards: view.cut, seat: view.dealer, does: 'page-deals' }),
  dealt,
  promised: (view, seat) => view.chosen[seat] ?? [],
  tricks: tricks(['supply', 'vault', 'showroom', 'thief_at']),
  flights,
  deal: 'page-crystals-round',
  summary: {
    title: (view) => say('page-crystals-round-over', { round: view?.round ?? 0 }),
    ends: ['score'],
    from: ['most', 'tie'],
    tells: ['most', 'tie', 'no_trick', 'diamond', 'heart', 'spade', 'club', 'nothing', 'score'],
  },
  scores: {
    title: 'page-over-points',
    Table: Scores,
    curve: {
      title: 'page-crystals-rounds',
      scores: (view) => view.team.map((team) => 2 * (view.vault[team] ?? 0) + (view.showroom[team] ?? 0)),
      stretch: (view) => view.deals,
    },
  },
}
export default crystals
