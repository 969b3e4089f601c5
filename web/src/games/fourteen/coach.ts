// The coach for a first game of fourteen.
import { SYMBOLS, rankNumber, rankOf, suitOf } from '../../components/cards'
import { part, t } from '../../client/i18n.svelte'
import type { EventInfo, FourteenView, Suit } from '../../client/types'
import type { CoachTip, CoachContext } from '../gameUi'
import { cardsChangingSuit } from './currentSuit'
import { directOutcome } from './directEffect'
import { BID, TRICKS } from './points'

type Context = CoachContext<FourteenView>

const isPlaying = ({ question }: Context) => question === 'play'
const isLeading = ({ view }: Context) => view.trick.length === 0
const canFollow = ({ view, hand }: Context) => hand.some((card) => suitOf(card) === view.suit)
const currentSuit = ({ view }: Context) => SYMBOLS[view.suit!]
const isDiamond = (card: string) => suitOf(card) === 'D'
const HIGH = 10
/** Return whether the hint gives this trick to others, without a ♦. */
const givesTrick = ({ hint, view }: Context) => {
  const card = String(hint?.choices[0]!.answers[0] ?? '')
  return hint && !isDiamond(card) && (view.trick.length ? directOutcome(view, card) === 'loses' : rankNumber(card) < HIGH)
}
const find = ({ events }: Context, is: (event: EventInfo['event']) => boolean) => events.find(({ event }) => is(event))?.event

function goal(view: FourteenView): string {
  const { target } = view
  if (view.scoring === BID) return t('page-coach-fourteen-goal-bid', { target })
  return view.scoring === TRICKS ? t('page-coach-fourteen-goal-tricks', { target }) : t('page-coach-fourteen-goal', { target })
}

export const tips: CoachTip<FourteenView>[] = [
  { name: 'goal', about: 'question', text: ({ question, view }) => question && goal(view) },
  {
    name: 'reached', // F8: the hand continues
    about: 'question',
    text: ({ question, view }) =>
      question && !view.scoring && view.totals.some((total, seat) => total + (view.taken[seat] ?? 0) >= view.target) && t('page-coach-fourteen-reached'),
  },
  {
    name: 'bid-made', // F10: more ♦ score nothing
    about: 'question',
    text: (now) => {
      const { bid, scoring, taken } = now.view
      return isPlaying(now) && scoring === BID && (bid[now.me] ?? 0) > 0 && (taken[now.me] ?? 0) >= bid[now.me]! && t('page-coach-fourteen-bid-made')
    },
  },
  { name: 'bid', about: 'question', text: ({ question, view }) => question === 'bid' && t('page-coach-fourteen-bid', { fair: Math.round(13 / view.seats) }) },
  { name: 'sealed', about: 'question', text: ({ question, view }) => question === 'bid' && view.bids && t('page-coach-fourteen-sealed') },
  {
    name: 'makes',
    about: 'question',
    text: (now) => isPlaying(now) && !isLeading(now) && cardsChangingSuit(now.view, now.hand).size > 0 && t('page-coach-fourteen-makes'),
  },
  {
    name: 'void',
    about: 'question',
    text: (now) =>
      isPlaying(now) && !isLeading(now) && !canFollow(now) &&
      (now.view.scoring === TRICKS ? t('page-coach-fourteen-void-tricks', { suit: currentSuit(now) }) : t('page-coach-fourteen-void', { suit: currentSuit(now) })),
  },
  {
    name: 'hand',
    about: 'outcome',
    text: (now) =>
      find(now, ({ event }) => event === 'scored') &&
      (now.view.scoring === TRICKS ? t('page-coach-fourteen-hand-tricks', { target: now.view.target }) : t('page-coach-fourteen-hand', { target: now.view.target })),
  },
  { name: 'again', about: 'outcome', text: (now) => find(now, ({ event }) => event === 'again') && t('page-coach-fourteen-again') },
  {
    name: 'won',
    about: 'outcome',
    text(now) {
      const trick = find(now, ({ event, seat }) => event === 'trick' && seat === now.me)
      return trick && (now.view.scoring === TRICKS ? t('page-coach-fourteen-won-tricks') : t('page-coach-fourteen-won', { number: Number(trick.diamonds) }))
    },
  },
  {
    name: 'lost', // the first trick, if another player won it
    about: 'outcome',
    text(now) {
      const trick = find(now, ({ event, seat }) => event === 'trick' && seat !== now.me)
      const isFirst = now.view.deals === 1 && now.view.tricks.reduce((sum, number) => sum + number, 0) === 1
      return trick && isFirst && now.view.scoring !== TRICKS && t('page-coach-fourteen-lost', { number: Number(trick.diamonds) })
    },
  },
  {
    name: 'no-diamond', // why the hint loses this trick
    about: 'question',
    text: (now) =>
      isPlaying(now) && !isLeading(now) && now.view.scoring !== TRICKS && !now.view.trick.some(isDiamond) && givesTrick(now) && t('page-coach-fourteen-no-diamond'),
  },
  { name: 'follow', about: 'question', text: (now) => isPlaying(now) && !isLeading(now) && canFollow(now) && t('page-coach-fourteen-follow', { suit: currentSuit(now) }) },
  {
    name: 'lead',
    about: 'question',
    text(now) {
      if (!isPlaying(now) || !isLeading(now) || (now.canHint && !now.hint)) return false
      return now.view.scoring !== TRICKS && givesTrick(now) ? t('page-coach-fourteen-lead-low') : t('page-coach-fourteen-lead')
    },
  },
  {
    name: 'last-two', // F9
    about: 'question',
    text: (now) => isPlaying(now) && now.view.match === 1 && now.view.trick.length > 1 && t('page-coach-fourteen-last-two'),
  },
  { name: 'ace', about: 'question', text: (now) => isPlaying(now) && now.hand.some((card) => rankOf(card) === 'A') && t('page-coach-fourteen-ace') },
  {
    name: 'turned',
    about: 'table',
    text({ events }) {
      const turned = events.findLast(({ event }) => event.event === 'turned' || event.event === 'trick')?.event
      return turned?.suit && turned.event === 'turned' && t('page-coach-fourteen-turned', { suit: SYMBOLS[turned.suit as Suit] })
    },
  },
]

export const words = part(import.meta.glob('../../../../src/diamonds/i18n/*.ftl', { query: '?coach-fourteen', import: 'default' }))

/** Return a key of the trick on the table and its current suit, or of the pause after it. */
export const moment = ({ deals, tricks, trick, suit }: FourteenView): string => `${deals} ${tricks} ${trick.length > 0 && suit}`
