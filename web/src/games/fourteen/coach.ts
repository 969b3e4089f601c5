// The coach for a first game of fourteen.
import { SYMBOLS, rankOf, suitOf } from '../../components/cards'
import { part, t } from '../../client/i18n.svelte'
import type { FourteenView } from '../../client/types'
import type { CoachLesson, CoachContext } from '../contract'
import { makesFourteenWith } from './suit'

type Context = CoachContext<FourteenView>

const BID = 1
const TRICKS = 2 // F10, F11: what scores
const isPlaying = ({ question }: Context) => question === 'play'
const isLeading = ({ view }: Context) => view.trick.length === 0
const canFollow = ({ view, hand }: Context) => hand.some((card) => suitOf(card) === view.suit)
const suit = ({ view }: Context) => SYMBOLS[view.suit!]

function goal(view: FourteenView): string {
  const { target } = view
  if (view.scoring === BID) return t('page-coach-fourteen-goal-bid', { target })
  return view.scoring === TRICKS ? t('page-coach-fourteen-goal-tricks', { target }) : t('page-coach-fourteen-goal', { target })
}

export const lessons: CoachLesson<FourteenView>[] = [
  { name: 'goal', aboutQuestion: true, text: ({ question, view }) => question && goal(view) },
  { name: 'bid', aboutQuestion: true, text: ({ question }) => question === 'bid' && t('page-coach-fourteen-bid') },
  { name: 'sealed', aboutQuestion: true, text: ({ question, view }) => question === 'bid' && view.bids && t('page-coach-fourteen-sealed') },
  { name: 'lead', aboutQuestion: true, text: (now) => isPlaying(now) && isLeading(now) && t('page-coach-fourteen-lead') },
  {
    name: 'makes',
    aboutQuestion: true,
    text: (now) => isPlaying(now) && !isLeading(now) && makesFourteenWith(now.view, now.hand).size > 0 && t('page-coach-fourteen-makes'),
  },
  {
    name: 'follow',
    aboutQuestion: true,
    text: (now) => isPlaying(now) && !isLeading(now) && canFollow(now) && t('page-coach-fourteen-follow', { suit: suit(now) }),
  },
  {
    name: 'void',
    aboutQuestion: true,
    text: (now) =>
      isPlaying(now) && !isLeading(now) && !canFollow(now) &&
      (now.view.scoring === TRICKS ? t('page-coach-fourteen-void-tricks', { suit: suit(now) }) : t('page-coach-fourteen-void', { suit: suit(now) })),
  },
  {
    name: 'last-two', // F9
    aboutQuestion: true,
    text: (now) => isPlaying(now) && now.view.match === 1 && now.view.trick.length > 1 && t('page-coach-fourteen-last-two'),
  },
  { name: 'ace', aboutQuestion: true, text: (now) => isPlaying(now) && now.hand.some((card) => rankOf(card) === 'A') && t('page-coach-fourteen-ace') },
  {
    name: 'turned',
    text({ events }) {
      const turned = events.findLast(({ event }) => event.event === 'turned')?.event
      return turned && t('page-coach-fourteen-turned', { suit: SYMBOLS[turned.suit as keyof typeof SYMBOLS] })
    },
  },
  {
    name: 'won',
    text: ({ events, me, view }) =>
      events.some(({ event }) => event.event === 'trick' && event.seat === me) &&
      (view.scoring === TRICKS ? t('page-coach-fourteen-won-tricks') : t('page-coach-fourteen-won')),
  },
  {
    name: 'hand',
    text: ({ events, view: { scoring, target } }) =>
      events.some(({ event }) => event.event === 'scored') &&
      (scoring === TRICKS ? t('page-coach-fourteen-hand-tricks', { target }) : t('page-coach-fourteen-hand', { target })),
  },
  { name: 'again', text: ({ events }) => events.some(({ event }) => event.event === 'again') && t('page-coach-fourteen-again') },
]

export const words = part(import.meta.glob('../../../../src/diamonds/i18n/*.ftl', { query: '?coach-fourteen', import: 'default' }))
