// The coach for a first game of mines.
import { isCard, rankOf, suitOf } from '../../components/cards'
import { part, t } from '../../client/i18n.svelte'
import type { MinesView, Suit } from '../../client/types'
import type { CoachTip, CoachContext } from '../gameUi'
import { reach, touching, worstClaim } from './pilePositions'

type Context = CoachContext<MinesView>

const isAsked = ({ question }: Context, ...names: string[]) => names.includes(question ?? '')
/** Return whether a card answers the question. */
const hasCardAnswer = ({ legal }: Context) => legal.some(isCard)
const ownEvents = ({ events, me }: Context, what: string) => events.filter(({ event }) => event.event === what && event.seat === me)
const opponentDid = ({ events, me }: Context, what: string) => events.some(({ event }) => event.event === what && event.seat !== me)
/** Return whether a pile was lost without a question: the defender had no card (M8, M9). */
const isConqueredAtOnce = ({ events }: Context, attacker: number) =>
  events.some(({ n, event }) => event.event === 'conquered' && event.seat === attacker && events.some((other) => other.n === n && other.event.event === 'declined'))
const hasDug = (now: Context, suit: Suit) => ownEvents(now, 'dug').some(({ event }) => event.card && suitOf(event.card) === suit)

/** Return the free piles, of those that can be claimed now, for which a value is largest; none if it is the same for all. */
function outstanding({ legal, view, me }: Context, value: (owner: (number | null)[]) => number): number[] {
  const piles = legal.filter((answer) => !isNaN(Number(answer))).map(Number)
  const values = piles.map((pile) => value(view.owner.map((one, k) => (k === pile ? me : one))))
  const best = Math.max(...values)
  return values.every((one) => one === best) ? [] : piles.filter((_, k) => values[k] === best)
}

/** Return why one of the free piles is better than the others: it shuts the opponent in, or keeps the player from being shut in; `null` if none is. */
function bestClaim(now: Context): { piles: number[]; text: string } | null {
  const { view, me } = now
  const shuts = reach(view.owner, 1 - me) ? outstanding(now, (owner) => Number(!reach(owner, 1 - me))) : []
  if (shuts.length === 1) return { piles: shuts, text: t('page-coach-mines-why-shuts', { pile: shuts[0]! + 1 }) }
  const opens = outstanding(now, (owner) => Number((worstClaim(owner, me)?.left ?? 1) > 0))
  return opens.length === 1 ? { piles: opens, text: t('page-coach-mines-why-open', { pile: opens[0]! + 1 }) } : null
}

/** Return the fullest of the player's piles that the opponent can attack; `null` if they can attack none with cards, or all equally well. */
function exposedPile({ view, me }: Context): number | null {
  const exposed = touching(view.owner, 1 - me, me).filter((pile) => view.left[pile])
  const most = Math.max(...exposed.map((pile) => view.left[pile]!))
  const fullest = exposed.filter((pile) => view.left[pile] === most)
  return fullest.length === 1 ? fullest[0]! : null
}

/** Return the fullest pile of the opponent that the player can attack. */
const fullestTarget = ({ view, me }: Context) => touching(view.owner, me, 1 - me).sort((a, b) => view.left[b]! - view.left[a]!)[0]

/** Return the lowest of cards of one suit; the ace is the highest. */
const lowestCard = (legal: readonly string[]) => legal.filter(isCard).sort((a, b) => Number(rankOf(a) === 'A') - Number(rankOf(b) === 'A'))[0]!

/** Return whether the page offers to use a ♥ or ♣ without digging first (M6 to M8). */
const maySkipDigging = ({ hand, view: { owner, left }, me }: Context) =>
  left.some((cards, pile) => cards && owner[pile] === me) &&
  hand.some((card) => (suitOf(card) === 'H' && touching(owner, me, null).length) || (suitOf(card) === 'C' && touching(owner, me, 1 - me).length))

export const tips: CoachTip<MinesView>[] = [
  { name: 'goal', about: 'question', text: ({ question }) => question && t('page-coach-mines-goal') },
  { name: 'won-at-once', about: 'outcome', text: (now) => isConqueredAtOnce(now, now.me) && t('page-coach-mines-won-at-once') },
  { name: 'lost-at-once', about: 'outcome', text: (now) => isConqueredAtOnce(now, 1 - now.me) && t('page-coach-mines-lost-at-once') },
  { name: 'turn', about: 'question', text: (now) => isAsked(now, 'turn') && touching(now.view.owner, now.me, null).length > 0 && t('page-coach-mines-turn') },
  {
    name: 'end', // M10, M11
    about: 'question',
    text: (now) =>
      isAsked(now, 'turn') && now.view.turns >= 6 && (now.view.impossible ? t('page-coach-mines-end-seen') : t('page-coach-mines-end')),
  },
  {
    name: 'shut-in', // M4, M7
    about: 'question',
    text: ({ question, view, me }) => question && touching(view.owner, me, null).length === 0 && t('page-coach-mines-shut-in'),
  },
  {
    name: 'last-free',
    about: 'question',
    text: ({ question, view, me }) => question && view.turns > 2 && touching(view.owner, me, null).length === 1 && t('page-coach-mines-last-free'),
  },
  { name: 'idle', about: 'question', text: (now) => isAsked(now, 'turn') && now.view.idle >= 3 && t('page-coach-mines-idle') },
  {
    name: 'claim',
    about: 'question',
    text: (now) => isAsked(now, 'claim') && t('page-coach-mines-claim'),
    recommends: ({ legal }) => [legal.filter((answer) => answer !== 'skip')],
  },
  { name: 'spade', about: 'question', text: (now) => isAsked(now, 'turn', 'dig') && now.hand.some((card) => suitOf(card) === 'S') && t('page-coach-mines-spade') },
  {
    name: 'dig',
    about: 'question',
    text: (now) => isAsked(now, 'turn', 'dig') && t('page-coach-mines-dig'),
    recommends: ({ question, legal }) => (question === 'dig' ? [legal.filter((answer) => answer !== 'skip')] : null),
  },
  { name: 'skip', about: 'question', text: (now) => isAsked(now, 'turn') && maySkipDigging(now) && t('page-coach-mines-skip') },
  {
    name: 'emptied',
    about: 'question',
    text: (now) => isAsked(now, 'turn', 'dig', 'dig_first', 'dig_second') && now.view.left.some((left, pile) => left < 2 && now.view.owner[pile] === now.me) && t('page-coach-mines-emptied'),
  },
  { name: 'twice', about: 'question', text: (now) => isAsked(now, 'dig_first', 'dig_second') && t('page-coach-mines-twice') },
  {
    name: 'dug-d',
    about: 'outcome',
    text: (now) => hasDug(now, 'D') && t('page-coach-mines-dug-d', { number: now.hand.filter((card) => suitOf(card) === 'D').length }),
  },
  { name: 'dug-h', about: 'outcome', text: (now) => hasDug(now, 'H') && t('page-coach-mines-dug-h') },
  { name: 'dug-s', about: 'outcome', text: (now) => hasDug(now, 'S') && t('page-coach-mines-dug-s') },
  {
    name: 'dug-c',
    about: 'outcome',
    text: (now) => hasDug(now, 'C') && (now.view.defence ? t('page-coach-mines-dug-c-ranked') : t('page-coach-mines-dug-c')),
  },
  { name: 'grow', about: 'question', text: (now) => isAsked(now, 'grow') && hasCardAnswer(now) && t('page-coach-mines-grow') },
  { name: 'grow-pile', about: 'question', text: (now) => isAsked(now, 'grow_pile') && t('page-coach-mines-grow-pile') },
  {
    name: 'unable', // R5
    about: 'question',
    text: (now) => isAsked(now, 'grow', 'defend') && !hasCardAnswer(now) && t('page-coach-mines-unable'),
  },
  { name: 'fight', about: 'question', text: (now) => isAsked(now, 'fight') && t('page-coach-mines-fight') },
  { name: 'fight-card', about: 'question', text: (now) => isAsked(now, 'fight_card') && (now.view.defence ? t('page-coach-mines-fight-card-ranked') : t('page-coach-mines-fight-card')) },
  {
    name: 'defend',
    about: 'question',
    text: (now) =>
      isAsked(now, 'defend') && (now.view.defence ? t('page-coach-mines-defend-ranked') : t('page-coach-mines-defend')),
  },
  { name: 'spoils', about: 'question', text: (now) => isAsked(now, 'spoils') && t('page-coach-mines-spoils') },
  {
    name: 'give',
    about: 'question',
    text: (now) => isAsked(now, 'give') && t('page-coach-mines-give'),
    recommends: ({ legal }) => [legal.filter((answer) => suitOf(answer) !== 'D')],
  },
  {
    name: 'why-claim',
    about: 'question',
    repeats: true,
    text: (now) => isAsked(now, 'claim', 'grow_pile') && bestClaim(now)?.text,
    recommends: (now) => (isAsked(now, 'claim', 'grow_pile') ? [bestClaim(now)?.piles.map(String) ?? []] : null),
  },
  {
    name: 'why-dig',
    about: 'question',
    repeats: true,
    text: (now) => {
      const pile = isAsked(now, 'turn', 'dig', 'dig_first', 'dig_second') ? exposedPile(now) : null
      return pile !== null && t('page-coach-mines-why-dig', { pile: pile + 1, left: now.view.left[pile]! })
    },
    recommends: (now) => (isAsked(now, 'dig_first', 'dig_second') ? [[exposedPile(now)].filter((pile) => pile !== null).map(String)] : null),
  },
  { name: 'why-turn', about: 'question', repeats: true, text: (now) => isAsked(now, 'turn') && touching(now.view.owner, now.me, null).length > 0 && t('page-coach-mines-why-turn') },
  {
    name: 'why-grow',
    about: 'question',
    repeats: true,
    text: (now) => isAsked(now, 'grow') && hasCardAnswer(now) && t('page-coach-mines-why-grow'),
    recommends: ({ legal }) => [['skip', lowestCard(legal)]],
  },
  {
    name: 'why-fight',
    about: 'question',
    repeats: true,
    text: (now) => isAsked(now, 'fight') && now.legal.length > 1 && t('page-coach-mines-why-fight', { pile: fullestTarget(now)! + 1, left: now.view.left[fullestTarget(now)!]! }),
    recommends: (now) => (now.view.left[fullestTarget(now)!]! > 0 ? [['end', String(fullestTarget(now))]] : null),
  },
  { name: 'why-defend', about: 'question', repeats: true, text: (now) => isAsked(now, 'defend') && hasCardAnswer(now) && t('page-coach-mines-why-defend') },
  { name: 'why-spoils', about: 'question', repeats: true, text: (now) => isAsked(now, 'spoils') && t('page-coach-mines-why-spoils') },
  { name: 'passed', about: 'table', text: (now) => opponentDid(now, 'passed') && t('page-coach-mines-passed') },
  { name: 'conquered', about: 'outcome', text: (now) => opponentDid(now, 'conquered') && t('page-coach-mines-conquered') },
]

export const words = part(import.meta.glob('../../../../src/diamonds/i18n/*.ftl', { query: '?coach-mines', import: 'default' }))

/** Return a key of the turn. */
export const moment = ({ turns }: MinesView): string => String(turns)
