// The coach for a first game of crystals.
import { SYMBOLS, suitOf } from '../../components/cards'
import { part, t } from '../../client/i18n.svelte'
import type { CrystalsView, EventInfo, Suit } from '../../client/types'
import type { CoachLesson, CoachContext } from '../contract'

type Context = CoachContext<CrystalsView>

const isPlaying = ({ question }: Context) => question === 'play'
const isLeading = ({ view }: Context) => view.trick.length === 0
const canFollow = ({ view, hand }: Context) => hand.some((card) => suitOf(card) === view.led)
const ledSuit = ({ view }: Context) => SYMBOLS[view.led!]
const find = ({ events }: Context, is: (event: EventInfo['event']) => boolean) => events.find(({ event }) => is(event))?.event

const ACTIONS = ['diamond', 'heart', 'spade', 'club', 'nothing']
/** Find an action by its cause: a won trick (C13), or a card that did not follow suit (C12). Actions at the end of a round have other causes. */
function findAction({ events }: Context, is: (event: EventInfo['event']) => boolean, cause: 'trick' | 'played') {
  const at = events.findIndex(({ event }, k) => ACTIONS.includes(event.event) && events[k - 1]?.event.event === cause && is(event))
  return events[at]?.event
}

/** A lesson about what an action brought the player, by trick or by card. */
const outcome = (name: string, won: (suit: string) => string, thrown: (suit: string) => string): CoachLesson<CrystalsView> => ({
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

export const lessons: CoachLesson<CrystalsView>[] = [
  { name: 'count', about: 'question', text: ({ question }) => question === 'count' && t('page-coach-crystals-count') },
  { name: 'pass', about: 'question', text: ({ question }) => question === 'pass' && t('page-coach-crystals-pass') },
  {
    name: 'goal',
    about: 'question',
    text: (now) => isPlaying(now) && (now.view.partnership ? t('page-coach-crystals-goal-team') : t('page-coach-crystals-goal')),
  },
  { name: 'thief', about: 'question', text: (now) => isPlaying(now) && now.view.thief && t('page-coach-crystals-thief') },
  { name: 'perfect', about: 'question', text: (now) => isPlaying(now) && now.view.perfect && t('page-coach-crystals-perfect') },
  { name: 'two-cards', about: 'question', text: (now) => isPlaying(now) && now.view.two_cards && t('page-coach-crystals-two-cards') },
  {
    name: 'void',
    about: 'question',
    text: (now) => isPlaying(now) && !isLeading(now) && !canFollow(now) && t('page-coach-crystals-void', { suit: ledSuit(now) }),
  },
  { name: 'victim', about: 'question', text: ({ question }) => question === 'victim' && t('page-coach-crystals-victim') },
  { name: 'round', about: 'outcome', text: (now) => find(now, ({ event }) => event === 'most' || event === 'tie') && t('page-coach-crystals-round') },
  {
    name: 'robbed', // by a player later in the trick
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
    name: 'club', // reported when the victim has been chosen
    about: 'outcome',
    text: (now) => find(now, ({ event, seat }) => event === 'club' && seat === now.me) && t('page-coach-crystals-took'),
  },
  {
    name: 'lost', // the first trick, if another player won it
    about: 'outcome',
    text(now) {
      const trick = find(now, ({ event, seat }) => event === 'trick' && seat !== now.me)
      const isFirst = now.view.round === 1 && now.view.tricks.reduce((sum, number) => sum + number, 0) === 1
      return trick && isFirst && t('page-coach-crystals-lost', { suit: SYMBOLS[trick.suit as Suit] })
    },
  },
  { name: 'follow', about: 'question', text: (now) => isPlaying(now) && !isLeading(now) && canFollow(now) && t('page-coach-crystals-follow', { suit: ledSuit(now) }) },
  { name: 'lead', about: 'question', text: (now) => isPlaying(now) && isLeading(now) && t('page-coach-crystals-lead') },
  {
    name: 'further', // C9
    about: 'question',
    text: ({ question, view }) => question === 'pass' && view.pass_to === 1 && view.round > 1 && t('page-coach-crystals-further'),
  },
  {
    name: 'no-trick', // C20, when it is worth playing for
    about: 'question',
    text: (now) => isPlaying(now) && now.view.tricks[now.me] === 0 && now.hand.length <= 5 && t('page-coach-crystals-no-trick'),
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
