// The standing in mines, from public knowledge and the player's own hand: the leader, and a warning before a player
// can no longer reach seven ♦ or is shut in (M10, M11).
import { part, t } from '../../client/i18n.svelte'
import type { MinesView } from '../../client/types'
import { diamondRange, isDiamond, likelyDiamonds } from './opponentDiamonds'
import { cardsWithin, reach, touching, worstClaim } from './pilePositions'
import type { StandingContext } from '../gameUi'

export const words = part(import.meta.glob('../../../../src/diamonds/i18n/*.ftl', { query: '?standing', import: 'default' }))

const SEVEN = 7
const FEW_PILES = 3 // in reach: the opponent may claim two piles in one turn (M4, M7)
const SHUT_IN = 1 // piles in reach
const FEW_DIAMONDS = 9 // in hand and in reach: soon fewer than seven
const CLEAR_LEAD = 1 // ♦; with less, neither hand holds clearly more
// ♦: bots that lead by 1 at the start of a turn win 58 % of their games, by 2 67 % (with seven: 73 %), by 3 or more 83 %
const EVEN = 1
const SLIGHT_LEAD = 2
const MAX_NAME = 12 // letters: the line has room for no more

type Context = StandingContext<MinesView>
type Who = { who: 'you' | 'other'; name: string }

const shortened = (name: string) => ([...name].length > MAX_NAME ? `${[...name].slice(0, MAX_NAME - 1).join('').trim()}…` : name)
const count = ({ owner }: MinesView, seat: number) => owner.filter((one) => one === seat).length
const freePiles = ({ owner }: MinesView) => owner.filter((one) => one === null).length
const cardsInPiles = ({ owner, left }: MinesView, seat: number) => left.reduce((sum, cards, pile) => sum + (owner[pile] === seat ? cards : 0), 0)
/** Return how many cards a seat can dig without winning a pile (M11). */
const cardsInReach = (view: MinesView, seat: number) => cardsWithin(view, seat) - view.hand_size[seat]!
const held = ({ hand }: MinesView, me: number) => hand[me]!.filter(isDiamond).length

/** Return the most ♦ that a seat can still hold, without winning another pile, as the viewer knows (M11). */
function mostDiamonds(view: MinesView, me: number, seat: number): number {
  const inReach = cardsInReach(view, seat)
  const [least, most] = diamondRange(view, me)
  return seat === me ? Math.min(13 - least, held(view, me) + inReach) : Math.min(13 - held(view, me), most + inReach)
}

/** Return whether a seat reaches seven ♦ only with a ♣, and is not known to hold one. */
const needsClub = (view: MinesView, me: number, seat: number): boolean =>
  mostDiamonds(view, me, seat) < SEVEN && !(seat === me && view.hand[me]!.some((card) => card.startsWith('C')))

/** Return the pile without which a seat can reach seven ♦ only with a ♣; `null` if the opponent cannot attack such a pile. */
function vitalPile(view: MinesView, me: number, seat: number): number | null {
  const without = (pile: number) => ({ ...view, owner: view.owner.map((one, k) => (k === pile ? 1 - seat : one)) })
  return touching(view.owner, 1 - seat, seat).find((pile) => mostDiamonds(without(pile), me, seat) < SEVEN) ?? null
}

/** Return a warning about a seat that can perhaps no longer reach seven ♦, or is one ♦ short of them. */
function warningAboutSeven({ view, me }: Context & { me: number }, seat: number, { who, name }: Who): string {
  if ((seat === me ? held(view, me) : diamondRange(view, me)[0]) === SEVEN - 1) return t('page-standing-mines-one-more', { who, name })
  if (needsClub(view, me, seat)) return t('page-standing-mines-needs-club', { who, name })
  if (seat === me && view.hand[me]!.some((card) => card.startsWith('C'))) return ''
  const pile = vitalPile(view, me, seat)
  if (pile !== null && count(view, seat) === 1) return t('page-standing-mines-last', { who, name, pile: pile + 1 })
  if (pile !== null) return t('page-standing-mines-vital', { who, name, pile: pile + 1 })
  const inHand = seat === me ? held(view, me) : diamondRange(view, me)[1]
  return inHand + cardsInReach(view, seat) <= FEW_DIAMONDS ? t('page-standing-mines-most', { who, name, most: mostDiamonds(view, me, seat) }) : ''
}

/** Return the warning about a seat that is or may soon be shut in. */
function warningAboutReach({ view }: Context, seat: number, { who, name }: Who, other: string): string {
  const piles = reach(view.owner, seat)
  if (piles <= FEW_PILES && piles < reach(view.owner, 1 - seat)) return t('page-standing-mines-reach', { who, name, reach: piles })
  // The player's own chance to shut the opponent in is left to hints, because it would read as advice.
  const worst = who === 'you' && piles > FEW_PILES ? worstClaim(view.owner, seat) : null
  return worst && worst.left <= SHUT_IN ? t('page-standing-mines-threat', { name: other, pile: worst.pile + 1, left: worst.left }) : ''
}

/**
 * Return how many ♦ each player likely has in hand and in their piles, and how many more are in the viewer's hand.
 *
 * Free piles count for nobody, so that a player can check the numbers and they change only with a card or a marker.
 */
function outlook({ view, me, log }: Context & { me: number }): { mine: number; theirs: number; inHand: number } {
  const { least, most } = likelyDiamonds(view, me, log)
  const [mine, theirs] = [held(view, me), (least + most) / 2]
  const share = (13 - mine - theirs) / Math.max(1, view.left.reduce((sum, left) => sum + left, 0))
  const total = (seat: number, inHand: number) => Math.round(inHand + share * cardsInPiles(view, seat))
  return { mine: total(me, mine), theirs: total(1 - me, theirs), inHand: mine - theirs }
}

/** Return why the player with clearly fewer ♦ in hand is not behind: more cards in their piles. */
function reasonAgainstTheEye(now: Context & { me: number }): string {
  const { view, me } = now
  const { mine, theirs, inHand } = outlook(now)
  if (Math.abs(inHand) < CLEAR_LEAD || (mine - theirs) * inHand > 0) return ''
  const seat = inHand < 0 ? me : 1 - me
  const { who, name } = whoIs(now, seat)
  return t('page-standing-mines-more', { who, name, more: cardsInPiles(view, seat), fewer: cardsInPiles(view, 1 - seat) })
}

const whoIs = ({ me, name }: Context, seat: number): Who => ({ who: seat === me ? 'you' : 'other', name: shortened(name(seat)) })

function warning(now: Context): string {
  const { view, me } = now
  const first = me ?? 0
  const seats = [first, 1 - first]
  const found: string[] = []
  if (me !== null && view.hand[me]) found.push(...seats.map((seat) => warningAboutSeven({ ...now, me }, seat, whoIs(now, seat))), reasonAgainstTheEye({ ...now, me }))
  if (view.owner.includes(null)) found.push(...seats.map((seat) => warningAboutReach(now, seat, whoIs(now, seat), shortened(now.name(1 - first)))))
  const free = freePiles(view)
  return found.find((text) => text) || (free ? t('page-standing-mines-free', { free }) : t('page-standing-mines-first'))
}

/** Return who leads as far as the hidden cards allow. */
function lead(now: Context): string {
  const { view, me, name } = now
  if (me === null || !view.hand[me]) {
    const [first, second] = [count(view, 0), count(view, 1)]
    const [more, fewer] = [Math.max(first, second), Math.min(first, second)]
    return more === fewer ? t('page-standing-mines-equal', { more }) : t('page-standing-mines-led', { name: shortened(name(first > second ? 0 : 1)), more, fewer })
  }
  const { mine, theirs } = outlook({ ...now, me })
  const [more, fewer] = [Math.max(mine, theirs), Math.min(mine, theirs)]
  const who = more - fewer <= EVEN ? 'even' : mine > theirs ? 'you' : 'other'
  const isSlight = more - fewer === SLIGHT_LEAD && more < SEVEN
  return t('page-standing-mines-ahead', { who, margin: isSlight ? 'slight' : 'clear', name: shortened(name(1 - me)), mine, theirs })
}

/** Return who has won, or that nobody has. */
function ending(now: Context): string {
  const { winner } = now.view
  if (winner === null) return t('page-standing-mines-drawn')
  const { who, name } = whoIs(now, winner)
  return t('page-standing-mines-won', { who, name })
}

export const standing = (now: Context): string => (now.view.over ? ending(now) : [lead(now), warning(now)].filter(Boolean).join(' '))
