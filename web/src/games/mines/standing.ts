// The standing in mines, from public knowledge and the player's own hand: the leader, and a warning before a player
// cannot reach seven ♦ or is shut in (M10, M11).
import { part, t } from '../../client/i18n.svelte'
import type { MinesView } from '../../client/types'
import { diamondRange, isDiamond, likelyDiamonds, rangeText } from './opponentDiamonds'
import { cardsWithin, reach, touching, worstClaim } from './pilePositions'
import type { StandingContext } from '../gameUi'

export const words = part(import.meta.glob('../../../../src/diamonds/i18n/*.ftl', { query: '?standing', import: 'default' }))

const SEVEN = 7
const FEW_PILES = 3 // in reach: the opponent may claim two piles in one turn (M4, M7)
const SHUT_IN = 1 // piles in reach
const FEW_DIAMONDS = 9 // in hand and in reach: soon fewer than seven
// Who is ahead follows from games of bots (2,400 of rules of thumb and of level 2). Early on only piles decide; from then on the cards in reach, and a ♦
// in hand as much as three of them. A player named so won three of four games.
const LATE_FREE = 5 // piles
const DIAMOND_IN_CARDS = 3
const CLEAR_LEAD = 3 // cards in reach
const MAX_NAME = 12 // letters: the line has room for no more

type Context = StandingContext<MinesView>
type Who = { who: 'you' | 'other'; name: string }

const shortened = (name: string) => ([...name].length > MAX_NAME ? `${[...name].slice(0, MAX_NAME - 1).join('').trim()}…` : name)
const count = ({ owner }: MinesView, seat: number) => owner.filter((one) => one === seat).length
const freePiles = ({ owner }: MinesView) => owner.filter((one) => one === null).length
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
  const worst = worstClaim(view.owner, seat)
  return piles > FEW_PILES && worst && worst.left <= SHUT_IN ? t('page-standing-mines-threat', { who, name: who === 'you' ? other : name, pile: worst.pile + 1 }) : ''
}

function warning(now: Context): string {
  const { view, me } = now
  if (view.over) return ''
  const first = me ?? 0
  const seats = [first, 1 - first]
  const whoIs = (seat: number): Who => ({ who: seat === me ? 'you' : 'other', name: shortened(now.name(seat)) })
  const found = me === null || !view.hand[me] ? [] : seats.map((seat) => warningAboutSeven({ ...now, me }, seat, whoIs(seat)))
  if (view.owner.includes(null)) found.push(...seats.map((seat) => warningAboutReach(now, seat, whoIs(seat), shortened(now.name(1 - first)))))
  return found.find((text) => text) || t(freePiles(view) > LATE_FREE ? 'page-standing-mines-early' : 'page-standing-mines-first')
}

/** Return who is ahead as far as the hidden cards allow: a lead that the other hand can undo is none. */
function lead({ view, me, name, log }: Context): string {
  if (me === null || !view.hand[me]) {
    const [first, second] = [count(view, 0), count(view, 1)]
    const [more, fewer] = [Math.max(first, second), Math.min(first, second)]
    return more === fewer ? t('page-standing-mines-equal', { more }) : t('page-standing-mines-led', { name: shortened(name(first > second ? 0 : 1)), more, fewer })
  }
  const mine = held(view, me)
  const range = likelyDiamonds(view, me, log)
  const isEarly = freePiles(view) > LATE_FREE
  const numbers = [me, 1 - me].map((seat) => (isEarly ? count(view, seat) : cardsInReach(view, seat)))
  const byPlaces = numbers[0]! - numbers[1]!
  const scores = [range.least, range.most].map((theirs) => byPlaces + DIAMOND_IN_CARDS * (mine - theirs))
  const isClear = Math.abs(scores[0]! + scores[1]!) >= 2 * CLEAR_LEAD && scores[0]! * scores[1]! >= 0
  let ahead = Math.sign(isEarly ? byPlaces : isClear ? scores[0]! + scores[1]! : 0)
  if (ahead > 0 && range.most >= SEVEN - 1) ahead = 0 // with one more ♦ the opponent wins
  if (needsClub(view, me, 1 - me)) ahead = Math.max(ahead, 0) // they may hold one
  if (needsClub(view, me, me)) ahead = -1
  const diamonds = [String(mine), rangeText(range).replace('–', '\u2060–\u2060')] // on one line
  const [first, second] = ahead < 0 ? [1, 0] : [0, 1]
  return t('page-standing-mines-ahead', {
    who: ahead > 0 ? 'you' : ahead < 0 ? 'other' : 'even',
    name: shortened(name(1 - me)),
    by: isEarly ? 'piles' : 'reach',
    more: numbers[first]!,
    others: numbers[second]!,
    first: diamonds[first]!,
    second: diamonds[second]!,
  })
}

export const standing = (now: Context): string => [lead(now), warning(now)].filter(Boolean).join(' ')
