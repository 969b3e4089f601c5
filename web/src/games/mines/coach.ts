// The coach for a first game of mines.
import { isCard, suitOf } from '../../components/cards'
import { part, t } from '../../client/i18n.svelte'
import type { MinesView, Suit } from '../../client/types'
import type { CoachLesson, CoachContext } from '../contract'

type Context = CoachContext<MinesView>

const isAsked = ({ question }: Context, ...names: string[]) => names.includes(question ?? '')
/** Whether the question can be answered with a card. */
const hasCardAnswer = ({ legal }: Context) => legal.some(isCard)
const ownEvents = ({ events, me }: Context, what: string) => events.filter(({ event }) => event.event === what && event.seat === me)
const opponentDid = ({ events, me }: Context, what: string) => events.some(({ event }) => event.event === what && event.seat !== me)
const hasDug = (now: Context, suit: Suit) => ownEvents(now, 'dug').some(({ event }) => event.card && suitOf(event.card) === suit)

export const lessons: CoachLesson<MinesView>[] = [
  { name: 'goal', aboutQuestion: true, text: ({ question }) => question && t('page-coach-mines-goal') },
  { name: 'turn', aboutQuestion: true, text: (now) => isAsked(now, 'turn') && t('page-coach-mines-turn') },
  {
    name: 'end', // M10, M11
    aboutQuestion: true,
    text: (now) =>
      isAsked(now, 'turn') && now.view.turns >= 6 && (now.view.impossible ? t('page-coach-mines-end-seen') : t('page-coach-mines-end')),
  },
  { name: 'idle', aboutQuestion: true, text: (now) => isAsked(now, 'turn') && now.view.idle >= 3 && t('page-coach-mines-idle') },
  { name: 'claim', aboutQuestion: true, text: (now) => isAsked(now, 'claim') && t('page-coach-mines-claim') },
  { name: 'spade', aboutQuestion: true, text: (now) => isAsked(now, 'turn', 'dig') && now.hand.some((card) => suitOf(card) === 'S') && t('page-coach-mines-spade') },
  { name: 'dig', aboutQuestion: true, text: (now) => isAsked(now, 'turn', 'dig') && t('page-coach-mines-dig') },
  { name: 'twice', aboutQuestion: true, text: (now) => isAsked(now, 'dig_first', 'dig_second') && t('page-coach-mines-twice') },
  { name: 'grow', aboutQuestion: true, text: (now) => isAsked(now, 'grow') && hasCardAnswer(now) && t('page-coach-mines-grow') },
  { name: 'grow-pile', aboutQuestion: true, text: (now) => isAsked(now, 'grow_pile') && t('page-coach-mines-grow-pile') },
  {
    name: 'unable', // R5
    aboutQuestion: true,
    text: (now) => isAsked(now, 'grow', 'defend') && !hasCardAnswer(now) && t('page-coach-mines-unable'),
  },
  { name: 'fight', aboutQuestion: true, text: (now) => isAsked(now, 'fight') && t('page-coach-mines-fight') },
  { name: 'fight-card', aboutQuestion: true, text: (now) => isAsked(now, 'fight_card') && t('page-coach-mines-fight-card') },
  {
    name: 'defend',
    aboutQuestion: true,
    text: (now) =>
      isAsked(now, 'defend') && (now.view.defence ? t('page-coach-mines-defend-ranked') : t('page-coach-mines-defend')),
  },
  { name: 'spoils', aboutQuestion: true, text: (now) => isAsked(now, 'spoils') && t('page-coach-mines-spoils') },
  { name: 'give', aboutQuestion: true, text: (now) => isAsked(now, 'give') && t('page-coach-mines-give') },
  { name: 'dug-d', text: (now) => hasDug(now, 'D') && t('page-coach-mines-dug-d') },
  { name: 'dug-h', text: (now) => hasDug(now, 'H') && t('page-coach-mines-dug-h') },
  { name: 'dug-s', text: (now) => hasDug(now, 'S') && t('page-coach-mines-dug-s') },
  { name: 'dug-c', text: (now) => hasDug(now, 'C') && t('page-coach-mines-dug-c') },
  { name: 'passed', text: (now) => opponentDid(now, 'passed') && t('page-coach-mines-passed') },
  { name: 'conquered', text: (now) => opponentDid(now, 'conquered') && t('page-coach-mines-conquered') },
]

export const words = part(import.meta.glob('../../../../src/diamonds/i18n/*.ftl', { query: '?coach-mines', import: 'default' }))
