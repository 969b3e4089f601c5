// What the coach says in someone's first game of mines.
import { isCard, suitOf } from '../../components/cards'
import { part, say } from '../../client/i18n.svelte'
import type { MinesView, Suit } from '../../client/types'
import type { Lesson, Moment } from '../contract'

type Now = Moment<MinesView>

const asked = ({ question }: Now, ...names: string[]) => names.includes(question ?? '')
/** Whether the question can be answered with a card. */
const able = ({ legal }: Now) => legal.some(isCard)
const mine = ({ told, me }: Now, what: string) => told.filter(({ event }) => event.event === what && event.seat === me)
const theirs = ({ told, me }: Now, what: string) => told.some(({ event }) => event.event === what && event.seat !== me)
const dug = (now: Now, suit: Suit) => mine(now, 'dug').some(({ event }) => event.card && suitOf(event.card) === suit)

export const lessons: Lesson<MinesView>[] = [
  { name: 'goal', asks: true, says: ({ question }) => question && say('page-coach-mines-goal') },
  { name: 'turn', asks: true, says: (now) => asked(now, 'turn') && say('page-coach-mines-turn') },
  {
    name: 'end', // M10, M11
    asks: true,
    says: (now) =>
      asked(now, 'turn') && now.view.turns >= 6 && (now.view.impossible ? say('page-coach-mines-end-seen') : say('page-coach-mines-end')),
  },
  { name: 'idle', asks: true, says: (now) => asked(now, 'turn') && now.view.idle >= 3 && say('page-coach-mines-idle') },
  { name: 'claim', asks: true, says: (now) => asked(now, 'claim') && say('page-coach-mines-claim') },
  { name: 'spade', asks: true, says: (now) => asked(now, 'dig') && able(now) && say('page-coach-mines-spade') },
  { name: 'dig', asks: true, says: (now) => asked(now, 'dig') && say('page-coach-mines-dig') },
  { name: 'twice', asks: true, says: (now) => asked(now, 'dig_first', 'dig_second') && say('page-coach-mines-twice') },
  { name: 'grow', asks: true, says: (now) => asked(now, 'grow') && able(now) && say('page-coach-mines-grow') },
  { name: 'grow-pile', asks: true, says: (now) => asked(now, 'grow_pile') && say('page-coach-mines-grow-pile') },
  {
    name: 'unable', // R5
    asks: true,
    says: (now) => asked(now, 'grow', 'defend') && !able(now) && say('page-coach-mines-unable'),
  },
  { name: 'fight', asks: true, says: (now) => asked(now, 'fight') && say('page-coach-mines-fight') },
  { name: 'fight-card', asks: true, says: (now) => asked(now, 'fight_card') && say('page-coach-mines-fight-card') },
  {
    name: 'defend',
    asks: true,
    says: (now) =>
      asked(now, 'defend') && (now.view.defence ? say('page-coach-mines-defend-ranked') : say('page-coach-mines-defend')),
  },
  { name: 'spoils', asks: true, says: (now) => asked(now, 'spoils') && say('page-coach-mines-spoils') },
  { name: 'give', asks: true, says: (now) => asked(now, 'give') && say('page-coach-mines-give') },
  { name: 'dug-d', says: (now) => dug(now, 'D') && say('page-coach-mines-dug-d') },
  { name: 'dug-h', says: (now) => dug(now, 'H') && say('page-coach-mines-dug-h') },
  { name: 'dug-s', says: (now) => dug(now, 'S') && say('page-coach-mines-dug-s') },
  { name: 'dug-c', says: (now) => dug(now, 'C') && say('page-coach-mines-dug-c') },
  { name: 'passed', says: (now) => theirs(now, 'passed') && say('page-coach-mines-passed') },
  { name: 'conquered', says: (now) => theirs(now, 'conquered') && say('page-coach-mines-conquered') },
]

export const words = part(import.meta.glob('../../../../src/diamonds/words/*.ftl', { query: '?coach-mines', import: 'default' }))
