// What the coach says in someone's first game of fourteen.
import { SYMBOLS, rankOf, suitOf } from '../../components/cards'
import { part, say } from '../../client/i18n.svelte'
import type { FourteenView } from '../../client/types'
import type { Lesson, Moment } from '../contract'
import { makers } from './suit'

type Now = Moment<FourteenView>

const BID = 1
const TRICKS = 2 // F10, F11: what scores
const playing = ({ question }: Now) => question === 'play'
const leads = ({ view }: Now) => view.trick.length === 0
const follows = ({ view, hand }: Now) => hand.some((card) => suitOf(card) === view.suit)
const suit = ({ view }: Now) => SYMBOLS[view.suit!]

function goal(view: FourteenView): string {
  const { target } = view
  if (view.scoring === BID) return say('page-coach-fourteen-goal-bid', { target })
  return view.scoring === TRICKS ? say('page-coach-fourteen-goal-tricks', { target }) : say('page-coach-fourteen-goal', { target })
}

export const lessons: Lesson<FourteenView>[] = [
  { name: 'goal', asks: true, says: ({ question, view }) => question && goal(view) },
  { name: 'bid', asks: true, says: ({ question }) => question === 'bid' && say('page-coach-fourteen-bid') },
  { name: 'sealed', asks: true, says: ({ question, view }) => question === 'bid' && view.bids && say('page-coach-fourteen-sealed') },
  { name: 'lead', asks: true, says: (now) => playing(now) && leads(now) && say('page-coach-fourteen-lead') },
  {
    name: 'makes',
    asks: true,
    says: (now) => playing(now) && !leads(now) && makers(now.view, now.hand).size > 0 && say('page-coach-fourteen-makes'),
  },
  {
    name: 'follow',
    asks: true,
    says: (now) => playing(now) && !leads(now) && follows(now) && say('page-coach-fourteen-follow', { suit: suit(now) }),
  },
  {
    name: 'void',
    asks: true,
    says: (now) =>
      playing(now) && !leads(now) && !follows(now) &&
      (now.view.scoring === TRICKS ? say('page-coach-fourteen-void-tricks', { suit: suit(now) }) : say('page-coach-fourteen-void', { suit: suit(now) })),
  },
  {
    name: 'last-two', // F9
    asks: true,
    says: (now) => playing(now) && now.view.match === 1 && now.view.trick.length > 1 && say('page-coach-fourteen-last-two'),
  },
  { name: 'ace', asks: true, says: (now) => playing(now) && now.hand.some((card) => rankOf(card) === 'A') && say('page-coach-fourteen-ace') },
  {
    name: 'turned',
    says({ told }) {
      const turned = told.findLast(({ event }) => event.event === 'turned')?.event
      return turned && say('page-coach-fourteen-turned', { suit: SYMBOLS[turned.suit as keyof typeof SYMBOLS] })
    },
  },
  {
    name: 'won',
    says: ({ told, me, view }) =>
      told.some(({ event }) => event.event === 'trick' && event.seat === me) &&
      (view.scoring === TRICKS ? say('page-coach-fourteen-won-tricks') : say('page-coach-fourteen-won')),
  },
  {
    name: 'hand',
    says: ({ told, view: { scoring, target } }) =>
      told.some(({ event }) => event.event === 'scored') &&
      (scoring === TRICKS ? say('page-coach-fourteen-hand-tricks', { target }) : say('page-coach-fourteen-hand', { target })),
  },
  { name: 'again', says: ({ told }) => told.some(({ event }) => event.event === 'again') && say('page-coach-fourteen-again') },
]

export const words = part(import.meta.glob('../../../../src/diamonds/words/*.ftl', { query: '?coach-fourteen', import: 'default' }))
