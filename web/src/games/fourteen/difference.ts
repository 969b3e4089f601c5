// The main difference between two players in fourteen: ♦ or tricks taken, with fourteens or without, or bids kept.
import { t } from '../../client/i18n.svelte'
import type { FourteenView } from '../../client/types'
import type { DifferenceContext } from '../gameUi'
import { BID, TRICKS } from './points'

const CLOSE = 1 // point

interface Taken {
  /** ♦, or tricks where they count (F11): in all, in tricks won with fourteen, and in the best trick. */
  all: number
  withFourteen: number
  best: number
  /** Tricks that counted. */
  tricks: number
  /** The sum of all bids, and the number of bids kept. */
  bid: number
  kept: number
}

/** Return what each seat took in all hands. */
export function takings({ steps, view }: Pick<DifferenceContext<FourteenView>, 'steps' | 'view'>): { taken: Taken[]; hands: number } {
  const taken = view.totals.map((): Taken => ({ all: 0, withFourteen: 0, best: 0, tricks: 0, bid: 0, kept: 0 }))
  let hands = 0
  let turner: number | null = null // made the last fourteen of the trick
  let bids: number[] = []
  let diamonds: number[] = []
  for (const { event } of steps.flatMap(({ events }) => events)) {
    const { event: kind, seat } = event
    if (kind === 'dealt') [bids, diamonds, turner] = [[], view.totals.map(() => 0), null]
    if (kind === 'bid') [bids[seat], taken[seat]!.bid] = [event.number, taken[seat]!.bid + event.number]
    if (kind === 'turned' || kind === 'stayed') turner = seat
    if (kind === 'trick') {
      const points = view.scoring === TRICKS ? 1 : event.diamonds
      const own = taken[seat]!
      own.all += points
      if (turner === seat) own.withFourteen += points
      if (points) own.tricks++
      own.best = Math.max(own.best, points)
      diamonds[seat]! += event.diamonds
      turner = null
    }
    if (kind === 'scored') {
      if (diamonds[seat]! >= (bids[seat] ?? 0)) taken[seat]!.kept++
      if (seat === 0) hands++
    }
  }
  return { taken, hands }
}

export function difference(now: DifferenceContext<FourteenView>): string {
  const { view, first, second, scores, name, other } = now
  const gap = scores[first]! - scores[second]!
  if (gap <= CLOSE) return t('page-game-over-close', { points: gap })
  const { taken, hands } = takings(now)
  const [winner, loser] = [taken[first]!, taken[second]!]
  if (view.scoring === BID) {
    if (winner.kept > loser.kept) return t('page-game-over-fourteen-bids', { name, other, more: winner.kept, fewer: loser.kept, hands })
    if (winner.bid > loser.bid) return t('page-game-over-fourteen-worth', { name, other, more: winner.bid, fewer: loser.bid, hands })
    return t('page-game-over-many')
  }
  const scoring = view.scoring === TRICKS ? 'tricks' : 'diamonds'
  /** True if the winner would not lead without these points. */
  const isMuch = (by: number) => by > CLOSE && by >= gap
  if (isMuch(winner.withFourteen - loser.withFourteen)) return t('page-game-over-fourteen-fourteens', { scoring, name, other, more: winner.withFourteen, fewer: loser.withFourteen })
  if (isMuch(winner.best - loser.best)) return t('page-game-over-fourteen-trick', { name, more: winner.best })
  if (view.scoring === TRICKS) return t('page-game-over-many') // the scores already count the tricks
  return t('page-game-over-fourteen-taken', { name, other, more: winner.all, fewer: loser.all, tricks: winner.tricks, second: loser.tricks })
}
