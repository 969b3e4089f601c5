// The coach for a first game of mines. It explains the situation, and repeats the hint, which says what to choose and why.
import { isCard, suitOf } from '../../components/cards'
import { part, t } from '../../client/i18n.svelte'
import type { MinesView, Suit } from '../../client/types'
import type { CoachTip, CoachContext } from '../gameUi'
import { touching } from './pilePositions'

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

/** Return whether the hint, if there is one, is to pass and nothing else is as good. */
const shouldPass = ({ canHint, hint }: Context) => !canHint || (hint?.choices[0]?.answers[0] === 'pass' && !hint.choices[1]?.tied)

/** Return whether the page offers to use a ♥ or ♣ without digging first (M6–M8). */
const maySkipDigging = ({ hand, view: { owner, left }, me }: Context) =>
  left.some((cards, pile) => cards && owner[pile] === me) &&
  hand.some((card) => (suitOf(card) === 'H' && touching(owner, me, null).length) || (suitOf(card) === 'C' && touching(owner, me, 1 - me).length))

export const tips: CoachTip<MinesView>[] = [
  { name: 'goal', about: 'question', text: ({ question }) => question && t('page-coach-mines-goal') },
  { name: 'ring', about: 'question', text: ({ question, hint }) => question && hint && t('page-coach-mines-ring') },
  { name: 'won-at-once', about: 'outcome', text: (now) => isConqueredAtOnce(now, now.me) && t('page-coach-mines-won-at-once') },
  { name: 'lost-at-once', about: 'outcome', text: (now) => isConqueredAtOnce(now, 1 - now.me) && t('page-coach-mines-lost-at-once') },
  {
    name: 'only-diamonds', // M9
    about: 'question',
    text: ({ question, hand, view: { owner }, me }) =>
      question && hand.length > 0 && hand.every((card) => suitOf(card) === 'D') && touching(owner, 1 - me, me).length > 0 && t('page-coach-mines-only-diamonds'),
  },
  { name: 'turn', about: 'question', text: (now) => isAsked(now, 'turn') && shouldPass(now) && touching(now.view.owner, now.me, null).length > 0 && t('page-coach-mines-turn') },
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
    text: (now) =>
      hasDug(now, 'C') &&
      (touching(now.view.owner, now.me, 1 - now.me).length === 0 ? t('page-coach-mines-dug-c-far') : now.view.defence ? t('page-coach-mines-dug-c-ranked') : t('page-coach-mines-dug-c')),
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
  { name: 'passed', about: 'table', text: (now) => opponentDid(now, 'passed') && t('page-coach-mines-passed') },
  { name: 'conquered', about: 'outcome', text: (now) => opponentDid(now, 'conquered') && t('page-coach-mines-conquered') },
]

export const words = part(import.meta.glob('../../../../src/diamonds/i18n/*.ftl', { query: '?coach-mines', import: 'default' }))

/** Return a key of the turn. */
export const moment = ({ turns }: MinesView): string => String(turns)
