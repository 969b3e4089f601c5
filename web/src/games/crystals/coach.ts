// The coach for a first game of crystals.
import { SYMBOLS, suitOf } from '../../components/cards'
import { joinList, part, t } from '../../client/i18n.svelte'
import type { CrystalsView, EventInfo, Suit } from '../../client/types'
import type { CoachTip, CoachContext } from '../gameUi'

type Context = CoachContext<CrystalsView>

const isPlaying = ({ question }: Context) => question === 'play'
const tricksWon = ({ view }: Context) => view.tricks.reduce((sum, number) => sum + number, 0)
/** C1, C24 */
const highestRank = ({ perfect, seats }: CrystalsView) => (perfect ? [8, 9, 13, 15][seats - 2]! : 15)
const find = ({ events }: Context, is: (event: EventInfo['event']) => boolean) => events.find(({ event }) => is(event))?.event

/** Return the cards of the suits that the hint empties by passing. */
const emptying = ({ hint, hand }: Context) => {
  const passed = hint?.choices[0]!.answers.map(String) ?? []
  return passed.filter((card) => hand.every((one) => suitOf(one) !== suitOf(card) || passed.includes(one)))
}

/** Return the suits of cards, as symbols. */
const suitsOf = (cards: string[]) => joinList([...new Set(cards.map((card) => SYMBOLS[suitOf(card)]))])

/** Return whether a round without a trick is near: the hint aims at it or, without hints, few cards are left. */
const aimsAtNoTrick = ({ hint, canHint, hand }: Context) =>
  canHint ? Boolean(hint?.choices[0]!.reasons.some(([id]) => AIMS_AT_NO_TRICK.includes(id))) : hand.length <= FEW_CARDS
const AIMS_AT_NO_TRICK = ['hint-no-trick-in-reach', 'hint-no-trick-sheds']
const FEW_CARDS = 4

/** Return whether the hint passes all cards of a suit. */
const countsSuit = ({ hint }: Context) => Boolean(hint?.choices[0]!.reasons.some(([id]) => id === 'hint-empties'))

const ACTION_EVENTS = ['diamond', 'heart', 'spade', 'club', 'nothing']
/** Find an action by its cause: a trick that was won (C13), or a card that did not follow suit (C12). Actions at the end of a round have other causes. */
function findAction({ events }: Context, is: (event: EventInfo['event']) => boolean, cause: 'trick' | 'played') {
  const at = events.findIndex(({ event }, k) => ACTION_EVENTS.includes(event.event) && events[k - 1]?.event.event === cause && is(event))
  return events[at]?.event
}

/** Return a tip about an action of the player, which comes from a trick that they won or from a card of another suit. */
const outcome = (name: string, won: (suit: string) => string, thrown: (suit: string) => string): CoachTip<CrystalsView> => ({
  name,
  about: 'outcome',
  text(now) {
    const isMine = ({ event, seat }: EventInfo['event']) => event === name && seat === now.me
    const trick = find(now, ({ event, seat }) => event === 'trick' && seat === now.me)
    if (trick && findAction(now, isMine, 'trick')) return won(SYMBOLS[trick.suit as Suit])
    const card = find(now, ({ event, seat }) => event === 'played' && seat === now.me)?.card
    return card && findAction(now, isMine, 'played') && thrown(SYMBOLS[suitOf(card)])
  },
})

/** Return what wins, and when. */
const length = ({ rounds }: CrystalsView) => t('page-coach-crystals-rounds', { rounds })

export const tips: CoachTip<CrystalsView>[] = [
  { name: 'count', about: 'question', text: ({ question }) => question === 'count' && t('page-coach-crystals-count-other') },
  // The hint arrives while you read, so what depends on it is the next tip.
  { name: 'count-empties', about: 'question', text: (now) => now.question === 'count' && countsSuit(now) && t('page-coach-crystals-count') },
  {
    name: 'pass',
    about: 'question',
    text: ({ question, view }) => question === 'pass' && (view.round === 1 ? length(view) : t('page-coach-crystals-pass-other')),
  },
  {
    name: 'pass-empties',
    about: 'question',
    text(now) {
      const cards = emptying(now)
      return now.question === 'pass' && cards.length > 0 && t('page-coach-crystals-pass', { suits: suitsOf(cards) })
    },
    recommends: (now) => (now.question === 'pass' ? [emptying(now)].filter((cards) => cards.length).map((cards) => [cards.join(' ')]) : null),
  },
  {
    name: 'goal',
    about: 'question',
    text: (now) => isPlaying(now) && (now.view.partnership ? t('page-coach-crystals-goal-team') : `${length(now.view)} ${t('page-coach-crystals-goal')}`),
  },
  { name: 'no-trick', about: 'question', text: (now) => isPlaying(now) && now.view.tricks[now.me] === 0 && aimsAtNoTrick(now) && t('page-coach-crystals-no-trick') }, // C20
  { name: 'thief', about: 'question', text: (now) => isPlaying(now) && now.view.thief && t('page-coach-crystals-thief') },
  { name: 'perfect', about: 'question', text: (now) => isPlaying(now) && now.view.perfect && t('page-coach-crystals-perfect') },
  { name: 'two-cards', about: 'question', text: (now) => isPlaying(now) && now.view.two_cards && t('page-coach-crystals-two-cards') },
  { name: 'victim', about: 'question', text: ({ question }) => question === 'victim' && t('page-coach-crystals-victim') },
  { name: 'round', about: 'outcome', text: (now) => find(now, ({ event }) => event === 'most' || event === 'tie') && t('page-coach-crystals-round') },
  {
    name: 'robbed', // by a player who plays later in the trick
    about: 'outcome',
    text: (now) =>
      find(now, ({ event, victim }) => event === 'club' && victim === now.me) &&
      (now.view.thief ? t('page-coach-crystals-robbed-thief') : t('page-coach-crystals-robbed')),
  },
  outcome('diamond', (suit) => t('page-coach-crystals-won-diamond', { suit }), (suit) => t('page-coach-crystals-threw-diamond', { suit })),
  outcome('heart', (suit) => t('page-coach-crystals-won-heart', { suit }), (suit) => t('page-coach-crystals-threw-heart', { suit })),
  outcome('spade', (suit) => t('page-coach-crystals-won-spade', { suit }), (suit) => t('page-coach-crystals-threw-spade', { suit })),
  outcome('nothing', (suit) => t('page-coach-crystals-won-nothing', { suit }), (suit) => t('page-coach-crystals-threw-nothing', { suit })),
  {
    name: 'club', // reported once the victim has been chosen
    about: 'outcome',
    text: (now) => find(now, ({ event, seat }) => event === 'club' && seat === now.me) && t('page-coach-crystals-took'),
  },
  {
    name: 'lost', // the first trick, if another player won it
    about: 'outcome',
    text(now) {
      const trick = find(now, ({ event, seat }) => event === 'trick' && seat !== now.me)
      const isFirst = now.view.round === 1 && tricksWon(now) === 1
      return trick && isFirst && t('page-coach-crystals-lost', { suit: SYMBOLS[trick.suit as Suit] })
    },
  },
  { name: 'five', about: 'question', text: ({ question, view }) => question && Math.max(...view.showroom) >= 5 && t('page-coach-crystals-five') },
  { name: 'counts', about: 'question', text: (now) => isPlaying(now) && now.view.memory_aid && tricksWon(now) > 0 && t('page-coach-crystals-counts') },
  { name: 'top', about: 'question', text: (now) => isPlaying(now) && t('page-coach-crystals-top', { top: highestRank(now.view) }) },
  {
    name: 'further', // C9
    about: 'question',
    text: ({ question, view }) => question === 'pass' && view.pass_to === 1 && view.round > 1 && t('page-coach-crystals-further'),
  },
  {
    name: 'last-round',
    about: 'question',
    text: (now) => isPlaying(now) && now.view.rounds > 1 && now.view.round === now.view.rounds && t('page-coach-crystals-last-round'),
  },
  { name: 'paid', about: 'table', text: (now) => findAction(now, ({ seat }) => seat !== now.me, 'played') && t('page-coach-crystals-paid') },
]

export const words = part(import.meta.glob('../../../../src/diamonds/i18n/*.ftl', { query: '?coach-crystals', import: 'default' }))

/** Return a key of the trick on the table, or of the pause after it. */
export const moment = ({ round, tricks, trick }: CrystalsView): string => `${round} ${tricks} ${trick.length > 0}`
