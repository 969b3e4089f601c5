// The news of mines: each step of the last turns, and a pile or card lost without a choice.
import { cardSymbols, rankNumber, suitOf } from '../../components/cards'
import { t } from '../../client/i18n.svelte'
import type { EventInfo, MinesView } from '../../client/types'
import type { NewsContext } from '../gameUi'

type GameEvent = EventInfo['event']

const REPLIES = ['defended', 'declined', 'gave'] // by the opponent of the player whose turn it is
const ENDS_TURN = ['passed', 'conquered', 'gave']
const OTHER_EVENTS = ['cut', 'dealt', 'seven', 'barred', 'idle', 'undo', 'seat', 'timeout']
const MAX_TURNS = 2

interface Turn {
  seat: number
  events: GameEvent[]
}

/** Return the turns, in each its events; a turn without any is left out. */
function turnsOf(log: readonly EventInfo[]): Turn[] {
  const turns: Turn[] = []
  let isOver = true
  for (const { event } of log) {
    if (OTHER_EVENTS.includes(event.event)) continue
    const seat: number = REPLIES.includes(event.event) ? 1 - event.seat : event.seat
    if (isOver || turns.at(-1)?.seat !== seat || event.event === 'claimed') turns.push({ seat, events: [] })
    turns.at(-1)!.events.push(event)
    isOver = ENDS_TURN.includes(event.event)
  }
  return turns
}

/** Return the steps of a turn, in words without a subject. */
function stepsOf({ events }: Turn): string[] {
  const steps: string[] = []
  let card = '' // discarded last: a ♠ to dig, a ♥ to grow, a ♣ to attack
  let attacked = 0
  for (const event of events) {
    const pile = (event.pile ?? 0) + 1
    if (event.event === 'discarded') {
      card = cardSymbols(event.card)
      if (suitOf(event.card) === 'C') steps.push(t('page-news-mines-attacked', { pile: attacked, card }))
      if (suitOf(event.card) === 'S') steps.push(t('page-news-mines-spade', { card }))
    } else if (event.event === 'attacked') attacked = pile
    else if (event.event === 'defended') steps.push(t('page-news-mines-stopped', { card: cardSymbols(event.card) }))
    else if (event.event === 'conquered') steps[steps.length - 1] = t('page-news-mines-took', { pile, card })
    else if (event.event === 'gave') steps[steps.length - 1] = event.card ? t('page-news-mines-raided', { gave: cardSymbols(event.card), card }) : t('page-news-mines-raided-hidden', { card })
    else if (event.event === 'dug') steps.push(event.card ? t('page-news-mines-dug', { pile, card: cardSymbols(event.card) }) : t('page-news-mines-dug-hidden', { pile }))
    else if (event.event === 'grew') steps.push(t('page-news-mines-grew', { pile, card }))
    else if (event.event === 'claimed') steps.push(t('page-news-mines-claimed', { pile }))
    else if (event.event === 'passed') steps.push(t('page-news-mines-passed'))
  }
  return steps
}

/** Return the rank of a card, ace high (M8). */
const height = (card: string) => (rankNumber(card) === 1 ? 14 : rankNumber(card))
const stops = ({ defence }: MinesView, card: string, attack: string) => (suitOf(card) === 'C' && !defence) || ('CH'.includes(suitOf(card)) && height(card) >= height(attack))

/** Return what the viewer has lost because no card in hand could stop the attack; empty if there was a choice. */
function lossWithoutChoice({ log, view, me }: NewsContext<MinesView>, { events }: Turn): string {
  const declined = events.findIndex(({ event, seat }) => event === 'declined' && seat === me)
  const hand = view.hand[me]
  if (declined < 0 || !hand) return ''
  const attack: string = events.findLast(({ event }) => event === 'discarded')!.card
  const since = log.slice(log.findLastIndex(({ event }) => event === events[declined]) + 1).map(({ event }) => event)
  const gained = since.filter(({ event, seat, to }) => (event === 'dug' && seat === me) || to === me).map(({ card }) => card)
  const lost = since.filter(({ event, seat }) => ['gave', 'discarded', 'defended'].includes(event) && seat === me).map(({ card }) => card)
  if ([...hand, ...lost].some((card) => !gained.includes(card) && stops(view, card, attack))) return ''
  const end = events.at(-1)!
  if (end.event === 'conquered') return t('page-news-mines-lost-pile', { pile: end.pile + 1, card: cardSymbols(attack) })
  return end.event === 'gave' ? t('page-news-mines-lost-card', { gave: cardSymbols(end.card), card: cardSymbols(attack) }) : t('page-news-mines-unable', { card: cardSymbols(attack) })
}

/** Return the last turns, as many as the room allows. */
export function news(now: NewsContext<MinesView>): string {
  const { log, me, name, letters } = now
  const last = turnsOf(log).slice(-MAX_TURNS)
  const loss = last.map((turn) => (turn.seat === me ? '' : lossWithoutChoice(now, turn))).findLast((text) => text) ?? ''
  const texts = last.map((turn) => t('page-news-mines-turn', { who: turn.seat === me ? 'you' : 'other', name: name(turn.seat), steps: stepsOf(turn).join(', ') }))
  const isShort = [loss, ...texts].join(' ').length <= letters
  return [loss, ...(isShort ? texts : texts.slice(-1))].filter(Boolean).join(' ')
}
