// The main difference between the players in mines: cards and piles won in attacks, piles, or ♦ drawn.
import { t } from '../../client/i18n.svelte'
import type { MinesView } from '../../client/types'
import type { DifferenceContext } from '../gameUi'

const CLEAR = 2
const isDiamond = (card: string) => card.startsWith('D')

interface Gains {
  /** Piles had at any time, and those of them won in attacks. */
  piles: number
  conquered: number
  /** ♦ that the opponent handed over. */
  diamondsWon: number
  /** Cards drawn, and ♦ among them. */
  drawn: number
  diamonds: number
}

/** Return what each player gained in the game. */
export function gains(steps: DifferenceContext<MinesView>['steps']): Gains[] {
  const gained = [0, 1].map((): Gains => ({ piles: 1, conquered: 0, diamondsWon: 0, drawn: 0, diamonds: 0 }))
  for (const { event } of steps.flatMap(({ events }) => events)) {
    const own = gained[event.seat]
    if (event.event === 'claimed' || event.event === 'grew') own!.piles++
    if (event.event === 'conquered') [own!.piles, own!.conquered] = [own!.piles + 1, own!.conquered + 1]
    if (event.event === 'gave' && isDiamond(event.card)) gained[event.to]!.diamondsWon++
    if (event.event === 'dug') [own!.drawn, own!.diamonds] = [own!.drawn + 1, own!.diamonds + Number(isDiamond(event.card))]
  }
  return gained
}

export function difference({ steps, first, second, name, other, ended }: DifferenceContext<MinesView>): string {
  const gained = gains(steps)
  const [winner, loser] = [gained[first]!, gained[second]!]
  const isBarred = ended.startsWith('barred')
  const isMuch = (kind: keyof Gains, by = CLEAR) => winner[kind] - loser[kind] >= by
  if (!isBarred && isMuch('diamondsWon')) return t('page-game-over-mines-cards', { name, other, more: winner.diamondsWon, fewer: loser.diamondsWon })
  if (isMuch('conquered', isBarred ? 1 : CLEAR)) return t('page-game-over-mines-attacks', { name, other, more: winner.conquered, fewer: loser.conquered })
  if (isBarred && isMuch('piles')) return t('page-game-over-mines-piles', { name, other, more: winner.piles, fewer: loser.piles })
  if (isMuch('diamonds')) return t('page-game-over-mines-drawn', { name, other, more: winner.diamonds, drawn: winner.drawn, fewer: loser.diamonds, second: loser.drawn })
  return t('page-game-over-even')
}
