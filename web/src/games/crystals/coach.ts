// What the coach says in someone's first game of crystals.
import { SYMBOLS, suitOf } from '../../components/cards'
import { part, say } from '../../client/i18n.svelte'
import type { CrystalsView } from '../../client/types'
import type { Lesson, Moment } from '../contract'

type Now = Moment<CrystalsView>

const ACTIONS = ['diamond', 'heart', 'spade', 'club', 'nothing']
const happened = ({ told }: Now, ...events: string[]) => told.some(({ event }) => events.includes(event.event))
const playing = ({ question }: Now) => question === 'play'
const leads = ({ view }: Now) => view.trick.length === 0
const follows = ({ view, hand }: Now) => hand.some((card) => suitOf(card) === view.led)

/** C12: whether another could not follow, and took an action for it: that is told right after the card. */
const paid = ({ told, me }: Now) =>
  told.some(({ event }, k) => event.event === 'played' && event.seat !== me && ACTIONS.includes(told[k + 1]?.event.event))

export const lessons: Lesson<CrystalsView>[] = [
  {
    name: 'goal',
    asks: true,
    says: ({ question, view }) =>
      question && (view.partnership ? say('page-coach-crystals-goal-team') : say('page-coach-crystals-goal')),
  },
  { name: 'thief', asks: true, says: ({ question, view }) => question && view.thief && say('page-coach-crystals-thief') },
  { name: 'perfect', asks: true, says: ({ question, view }) => question && view.perfect && say('page-coach-crystals-perfect') },
  { name: 'count', asks: true, says: ({ question }) => question === 'count' && say('page-coach-crystals-count') },
  { name: 'pass', asks: true, says: ({ question }) => question === 'pass' && say('page-coach-crystals-pass') },
  {
    name: 'further', // C9
    asks: true,
    says: ({ question, view }) => question === 'pass' && view.pass_to === 1 && view.round > 1 && say('page-coach-crystals-further'),
  },
  { name: 'two-cards', asks: true, says: (now) => playing(now) && now.view.two_cards && say('page-coach-crystals-two-cards') },
  { name: 'lead', asks: true, says: (now) => playing(now) && leads(now) && say('page-coach-crystals-lead') },
  {
    name: 'follow',
    asks: true,
    says: (now) => playing(now) && !leads(now) && follows(now) && say('page-coach-crystals-follow', { suit: SYMBOLS[now.view.led!] }),
  },
  {
    name: 'void',
    asks: true,
    says: (now) => playing(now) && !leads(now) && !follows(now) && say('page-coach-crystals-void', { suit: SYMBOLS[now.view.led!] }),
  },
  { name: 'victim', asks: true, says: ({ question }) => question === 'victim' && say('page-coach-crystals-victim') },
  {
    name: 'no-trick', // C20, once it is worth playing for
    asks: true,
    says: (now) => playing(now) && now.view.tricks[now.me] === 0 && now.hand.length <= 5 && say('page-coach-crystals-no-trick'),
  },
  {
    name: 'last-round',
    asks: true,
    says: (now) => playing(now) && now.view.rounds > 1 && now.view.round === now.view.rounds && say('page-coach-crystals-last-round'),
  },
  { name: 'paid', says: (now) => paid(now) && say('page-coach-crystals-paid') },
  { name: 'diamond', says: (now) => happened(now, 'diamond') && say('page-coach-crystals-diamond') },
  { name: 'heart', says: (now) => happened(now, 'heart') && say('page-coach-crystals-heart') },
  { name: 'spade', says: (now) => happened(now, 'spade') && say('page-coach-crystals-spade') },
  {
    name: 'club',
    says: (now) => happened(now, 'club') && (now.view.thief ? say('page-coach-crystals-club-thief') : say('page-coach-crystals-club')),
  },
  { name: 'nothing', says: (now) => happened(now, 'nothing') && say('page-coach-crystals-nothing') },
  {
    name: 'won',
    says: ({ told, me }) => told.some(({ event }) => event.event === 'trick' && event.seat === me) && say('page-coach-crystals-won'),
  },
  { name: 'round', says: (now) => happened(now, 'most', 'tie') && say('page-coach-crystals-round') },
]

export const words = part(import.meta.glob('../../../../src/diamonds/words/*.ftl', { query: '?coach-crystals', import: 'default' }))
