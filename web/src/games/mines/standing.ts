// The standing of mines, from public knowledge and the own hand: the leader, and a warning before a player cannot reach seven ♦ or is shut in (M10, M11).
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
const ALMOST_SEVEN = 5 // ♦
const LATE_FREE = 5 // piles; with more left to claim, piles decide much more than ♦
const DIAMOND_IN_PILES = { early: 0, middle: 1, late: 1.6 } // by how often a ♦ or a pile more wins (11,000 games of rules of thumb)
const CLOSE = 1.5 // a lead of fewer piles, or as much in ♦, decides little once no pile is free
const MAX_NAME = 12 // letters: the line has room for no more

type Context = StandingContext<MinesView>
type Who = { who: 'you' | 'other'; name: string }

const shortened = (name: string) => ([...name].length > MAX_NAME ? `${[...name].slice(0, MAX_NAME - 1).join('').trim()}…` : name)
const count = ({ owner }: MinesView, seat: number) => owner.filter((one) => one === seat).length
const held = ({ hand }: MinesView, me: number) => hand[me]!.filter(isDiamond).length

/** Return the most ♦ that a seat can still hold, without winning another pile, as the viewer knows (M11). */
function mostDiamonds(view: MinesView, me: number, seat: number): number {
  const inReach = cardsWithin(view, seat) - view.hand_size[seat]!
  const [least, most] = diamondRange(view, me)
  return seat === me ? Math.min(13 - least, held(view, me) + inReach) : Math.min(13 - held(view, me), most + inReach)
}

/** Return the pile without which a seat can reach seven ♦ only with a ♣; `null` if the opponent can attack none such. */
function vitalPile(view: MinesView, me: number, seat: number): number | null {
  const without = (pile: number) => ({ ...view, owner: view.owner.map((one, k) => (k === pile ? 1 - seat : one)) })
  return touching(view.owner, 1 - seat, seat).find((pile) => mostDiamonds(without(pile), me, seat) < SEVEN) ?? null
}

/** Return a warning about a seat that may not reach seven ♦ any more, or is one ♦ short of them. */
function warningAboutSeven({ view, me }: Context & { me: number }, seat: number, { who, name }: Who): string {
  if ((seat === me ? held(view, me) : diamondRange(view, me)[0]) === SEVEN - 1) return t('page-standing-mines-one-more', { who, name })
  const most = mostDiamonds(view, me, seat)
  if (seat === me && view.hand[me]!.some((card) => card.startsWith('C'))) return ''
  if (most < SEVEN) return t('page-standing-mines-needs-club', { who, name })
  const pile = vitalPile(view, me, seat)
  if (pile !== null && count(view, seat) === 1) return t('page-standing-mines-last', { who, name, pile: pile + 1 })
  if (pile !== null) return t('page-standing-mines-vital', { who, name, pile: pile + 1 })
  const inReach = cardsWithin(view, seat) - view.hand_size[seat]!
  const inHand = seat === me ? held(view, me) : diamondRange(view, me)[1]
  return inHand + inReach <= FEW_DIAMONDS ? t('page-standing-mines-most', { who, name, most }) : ''
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
  else found.push(t('page-standing-mines-none'))
  return found.find((text) => text) ?? ''
}

/** Return who is ahead: seven ♦ win, so piles count only as far as they may bring them. */
function lead({ view, me, name, log }: Context): string {
  if (me === null || !view.hand[me]) {
    const [first, second] = [count(view, 0), count(view, 1)]
    const [more, fewer] = [Math.max(first, second), Math.min(first, second)]
    return more === fewer ? t('page-standing-mines-equal', { more }) : t('page-standing-mines-led', { name: shortened(name(first > second ? 0 : 1)), more, fewer })
  }
  const mine = held(view, me)
  const range = likelyDiamonds(view, me, log)
  const theirs = rangeText(range)
  const byPiles = count(view, me) - count(view, 1 - me)
  const byDiamonds = mine - (range.least + range.most) / 2
  const isSure = mine > range.most || mine < range.least
  const isMoreDiamonds = isSure || Math.abs(byDiamonds) >= 1 ? Number(mine >= range.most) - Number(mine <= range.least) : 0
  const free = view.owner.filter((one) => one === null).length
  const phase = free === 0 || mine >= ALMOST_SEVEN || range.least >= ALMOST_SEVEN ? 'late' : free <= LATE_FREE ? 'middle' : 'early'
  const score = byPiles === 0 && isSure ? CLOSE * isMoreDiamonds : byPiles + DIAMOND_IN_PILES[phase] * byDiamonds
  const who = (sign: number) => (sign > 0 ? 'you' : sign < 0 ? 'other' : 'even')
  const values = (sign: number) => {
    const isMine = sign >= 0
    return { name: shortened(name(1 - me)), piles: count(view, isMine ? me : 1 - me), others: count(view, isMine ? 1 - me : me), first: isMine ? String(mine) : theirs, second: isMine ? theirs : String(mine) }
  }
  const ahead = Math.abs(score) < (phase === 'late' ? CLOSE : 1) ? 0 : Math.sign(score)
  if (byPiles * isMoreDiamonds < 0 && !(isSure && ahead === isMoreDiamonds)) {
    const { name: their, piles: more, others: fewer } = values(byPiles)
    const { first, second } = values(isMoreDiamonds)
    return t('page-standing-mines-mixed', { who: who(byPiles), name: their, more, fewer, first, second })
  }
  const isOutweighed = byPiles * ahead < 0
  const mayWinSoon = ahead > 0 && range.most >= SEVEN - 1 // with one more ♦
  const isClose = mayWinSoon || (isOutweighed && !isSure) || (!ahead && (byPiles !== 0 || byDiamonds !== 0))
  const { name: their, piles, others, first, second } = values(isClose ? 0 : ahead)
  if (isOutweighed && isSure) return t('page-standing-mines-outweighs', { who: who(ahead), name: their, piles, others, first, second })
  return t('page-standing-mines-ahead', { who: isClose ? 'close' : who(ahead), name: their, piles, others, first, second })
}

export const standing = (now: Context): string => [lead(now), warning(now)].filter(Boolean).join(' ')
