// The coach for a first game of crystals.
import { SYMBOLS, suitOf } from '../../components/cards'
import { part, t } from '../../client/i18n.svelte'
import type { CrystalsView } from '../../client/types'
import type { CoachLesson, CoachContext } from '../contract'

type Context = CoachContext<CrystalsView>

const ACTIONS = ['diamond', 'heart', 'spade', 'club', 'nothing']
const hasHappened = ({ events }: Context, ...names: string[]) => events.some(({ event }) => names.includes(event.event))
const isPlaying = ({ question }: Context) => question === 'play'
const isLeading = ({ view }: Context) => view.trick.length === 0
const canFollow = ({ view, hand }: Context) => hand.some((card) => suitOf(card) === view.led)

/** C12: whether another could not follow, and took an action for it: that is told right after the card. */
const hasPaid = ({ events, me }: Context) =>
  events.some(({ event }, k) => event.event === 'played' && event.seat !== me && ACTIONS.includes(events[k + 1]?.event.event))

export const lessons: CoachLesson<CrystalsView>[] = [
  {
    name: 'goal',
    aboutQuestion: true,
    text: ({ question, view }) =>
      question && (view.partnership ? t('page-coach-crystals-goal-team') : t('page-coach-crystals-goal')),
  },
  { name: 'thief', aboutQuestion: true, text: ({ question, view }) => question && view.thief && t('page-coach-crystals-thief') },
  { name: 'perfect', aboutQuestion: true, text: ({ question, view }) => question && view.perfect && t('page-coach-crystals-perfect') },
  { name: 'count', aboutQuestion: true, text: ({ question }) => question === 'count' && t('page-coach-crystals-count') },
  { name: 'pass', aboutQuestion: true, text: ({ question }) => question === 'pass' && t('page-coach-crystals-pass') },
  {
    name: 'further', // C9
    aboutQuestion: true,
    text: ({ question, view }) => question === 'pass' && view.pass_to === 1 && view.round > 1 && t('page-coach-crystals-further'),
  },
  { name: 'two-cards', aboutQuestion: true, text: (now) => isPlaying(now) && now.view.two_cards && t('page-coach-crystals-two-cards') },
  { name: 'lead', aboutQuestion: true, text: (now) => isPlaying(now) && isLeading(now) && t('page-coach-crystals-lead') },
  {
    name: 'follow',
    aboutQuestion: true,
    text: (now) => isPlaying(now) && !isLeading(now) && canFollow(now) && t('page-coach-crystals-follow', { suit: SYMBOLS[now.view.led!] }),
  },
  {
    name: 'void',
    aboutQuestion: true,
    text: (now) => isPlaying(now) && !isLeading(now) && !canFollow(now) && t('page-coach-crystals-void', { suit: SYMBOLS[now.view.led!] }),
  },
  { name: 'victim', aboutQuestion: true, text: ({ question }) => question === 'victim' && t('page-coach-crystals-victim') },
  {
    name: 'no-trick', // C20, once it is worth playing for
    aboutQuestion: true,
    text: (now) => isPlaying(now) && now.view.tricks[now.me] === 0 && now.hand.length <= 5 && t('page-coach-crystals-no-trick'),
  },
  {
    name: 'last-round',
    aboutQuestion: true,
    text: (now) => isPlaying(now) && now.view.rounds > 1 && now.view.round === now.view.rounds && t('page-coach-crystals-last-round'),
  },
  { name: 'paid', text: (now) => hasPaid(now) && t('page-coach-crystals-paid') },
  { name: 'diamond', text: (now) => hasHappened(now, 'diamond') && t('page-coach-crystals-diamond') },
  { name: 'heart', text: (now) => hasHappened(now, 'heart') && t('page-coach-crystals-heart') },
  { name: 'spade', text: (now) => hasHappened(now, 'spade') && t('page-coach-crystals-spade') },
  {
    name: 'club',
    text: (now) => hasHappened(now, 'club') && (now.view.thief ? t('page-coach-crystals-club-thief') : t('page-coach-crystals-club')),
  },
  { name: 'nothing', text: (now) => hasHappened(now, 'nothing') && t('page-coach-crystals-nothing') },
  {
    name: 'won',
    text: ({ events, me }) => events.some(({ event }) => event.event === 'trick' && event.seat === me) && t('page-coach-crystals-won'),
  },
  { name: 'round', text: (now) => hasHappened(now, 'most', 'tie') && t('page-coach-crystals-round') },
]

export const words = part(import.meta.glob('../../../../src/diamonds/i18n/*.ftl', { query: '?coach-crystals', import: 'default' }))
