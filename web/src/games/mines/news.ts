// The news of mines: how the last attacks ended, and each step of the last turns.
import { cardSymbols, rankNumber, suitOf } from '../../components/cards'
import { joinList, t } from '../../client/i18n.svelte'
import type { EventInfo, MinesView } from '../../client/types'
import type { NewsContext } from '../gameUi'

type GameEvent = EventInfo['event']

const REPLIES = ['defended', 'declined', 'gave'] // events of the opponent of the player on turn
const ENDS_ATTACK = ['defended', 'declined', 'conquered', 'gave']
const ENDS_TURN = ['passed', 'conquered', 'gave']
const OTHER_EVENTS = ['cut', 'dealt', 'seven', 'barred', 'idle', 'undo', 'seat', 'timeout']
const ORDER = ['claimed', 'passed', 'S', 'dug', 'H', 'grew']
const FIGHT = ORDER.length // the place of all events of attacks
const BEGINS_TURN = ['claim', 'turn'] // the questions with which a turn can begin
const MAX_TURNS = 2
const MAX_ENDS = 2 // how many ends of attacks are told at most

interface Turn {
  seat: number
  events: GameEvent[]
}

/** Return the place of an event in the order of a turn. That of a discard depends on its suit (M3). */
function placeOf({ event, card }: GameEvent): number {
  const place = ORDER.indexOf(event === 'discarded' ? suitOf(card) : event)
  return place < 0 ? FIGHT : place
}

/**
 * Return the turns with their events. No event tells where a turn begins: it begins where the order starts again. Between
 * two turns of one player, and before a new turn of the viewer, the other player has had a turn, perhaps without events.
 */
function turnsOf({ log, view, me }: NewsContext<MinesView>): Turn[] {
  const turns: Turn[] = []
  let last = FIGHT
  let isOver = true
  for (const { event } of log) {
    if (OTHER_EVENTS.includes(event.event)) continue
    const seat: number = REPLIES.includes(event.event) ? 1 - event.seat : event.seat
    const turn = turns.at(-1)
    const place = placeOf(event)
    const isSecondDig = event.event === 'dug' && turn?.events.at(-2)?.event === 'discarded'
    const follows = place > last || (place === last && (place === FIGHT || isSecondDig))
    if (isOver || turn?.seat !== seat || !follows) {
      if (turn?.seat === seat) turns.push({ seat: 1 - seat, events: [] })
      turns.push({ seat, events: [] })
    }
    turns.at(-1)!.events.push(event)
    last = place
    isOver = ENDS_TURN.includes(event.event)
  }
  const isNew = BEGINS_TURN.includes(view.question ?? '') && view.to_act.includes(me)
  if (isNew && turns.at(-1)?.seat === me && turns.at(-1)!.events.at(-1)!.event !== 'claimed') turns.push({ seat: 1 - me, events: [] })
  return turns
}

/** An attack, and the event that ended it, if the log contains it (M8, M9). */
interface Attack {
  seat: number
  pile: number
  card: string
  end?: GameEvent
}

function attacksOf({ seat, events }: Turn): Attack[] {
  const attacks: Attack[] = []
  for (const event of events) {
    const last = attacks.at(-1)
    if (event.event === 'attacked') attacks.push({ seat, pile: event.pile, card: '' })
    else if (last && event.event === 'discarded') last.card ||= event.card
    else if (last && ENDS_ATTACK.includes(event.event)) last.end = event
  }
  return attacks.filter(({ end }) => end)
}

/** Return the steps of a turn, in words without a subject. Attacks have sentences of their own. */
function stepsOf({ events }: Turn): string[] {
  const steps: string[] = []
  let card = '' // discarded last: a ♠ to dig, a ♥ to grow
  for (const event of events) {
    const pile = (event.pile ?? 0) + 1
    if (event.event === 'discarded') {
      card = cardSymbols(event.card)
      if (suitOf(event.card) === 'S') steps.push(t('page-news-mines-spade', { card }))
    } else if (event.event === 'dug') steps.push(event.card ? t('page-news-mines-dug', { pile, card: cardSymbols(event.card) }) : t('page-news-mines-dug-hidden', { pile }))
    else if (event.event === 'grew') steps.push(t('page-news-mines-grew', { pile, card }))
    else if (event.event === 'claimed') steps.push(t('page-news-mines-claimed', { pile }))
    else if (event.event === 'passed') steps.push(t('page-news-mines-passed'))
  }
  return steps
}

/** Return the same steps in fewer letters: piles by their numbers, and both cards of a ♠ as one step. */
function shortStepsOf({ events }: Turn): string[] {
  const steps: string[] = []
  const dug: string[] = []
  let card = ''
  for (const [k, event] of events.entries()) {
    const pile = (event.pile ?? 0) + 1
    if (event.event === 'discarded') {
      card = cardSymbols(event.card)
      if (suitOf(event.card) === 'S' && events[k + 1]?.event !== 'dug') steps.push(t('page-news-mines-spade', { card }))
    } else if (event.event === 'dug') {
      dug.push(event.card ? t('page-news-mines-short-seen', { pile, card: cardSymbols(event.card) }) : t('page-news-mines-short-hidden', { pile }))
      const from = joinList(dug)
      if (events[k + 1]?.event === 'dug') continue
      if (event.card) steps.push(card ? t('page-news-mines-short-dug-two', { from, card }) : t('page-news-mines-short-dug', { from }))
      else steps.push(dug.length > 1 ? t('page-news-mines-short-dug-piles', { from, card }) : t('page-news-mines-short-dug-pile', { from }))
    } else if (event.event === 'grew') steps.push(t('page-news-mines-short-grew', { pile, card }))
    else if (event.event === 'claimed') steps.push(t('page-news-mines-short-claimed', { pile }))
    else if (event.event === 'passed') steps.push(t('page-news-mines-passed'))
  }
  return steps
}

/** Return the rank of a card, ace high (M8). */
const height = (card: string) => (rankNumber(card) === 1 ? 14 : rankNumber(card))
const stops = ({ defence }: MinesView, card: string, attack: string) => (suitOf(card) === 'C' && !defence) || ('CH'.includes(suitOf(card)) && height(card) >= height(attack))

/** Return whether no card in the viewer's hand could stop the attack on them that ended with this event or the events before it. */
function hadNoChoice({ log, view, me }: NewsContext<MinesView>, { card, end }: Attack): boolean {
  const until = log.findLastIndex(({ event }) => event === end)
  const declined = log.findLastIndex(({ event }, k) => k <= until && event.event === 'declined')
  const since = log.slice(declined + 1).map(({ event }) => event)
  const gained = since.filter(({ event, seat, to }) => (event === 'dug' && seat === me) || to === me).map((event) => event.card)
  const lost = since.filter(({ event, seat }) => ['gave', 'discarded', 'defended'].includes(event) && seat === me).map((event) => event.card)
  return ![...view.hand[me]!, ...lost].some((one) => !gained.includes(one) && stops(view, one, card))
}

/** Return how an attack ended: who has the pile or a card now, and why. */
function endOf(now: NewsContext<MinesView>, attack: Attack): string {
  const { view, me, name } = now
  const { event: how, card } = attack.end!
  const who = attack.seat === me ? 'you' : how !== 'defended' && view.hand[me] && hadNoChoice(now, attack) ? 'unable' : 'other'
  const [opponent, attacker, pile] = [name(1 - me), cardSymbols(attack.card), attack.pile + 1]
  if (how === 'defended') return t('page-news-mines-stopped', { who, name: opponent, card: attacker, pile, stopper: cardSymbols(card) })
  if (how === 'conquered') return t('page-news-mines-took', { who, name: opponent, card: attacker, pile, left: view.left[attack.pile]! })
  if (how === 'gave') return t('page-news-mines-raided', { who, name: opponent, card: attacker, gave: cardSymbols(card) })
  return t('page-news-mines-unstopped', { who, name: opponent, card: attacker, pile })
}

/**
 * Return the last turns in order, each with its steps and then how its attacks ended. If there is no room for all, the
 * steps become shorter; then those of the turn before are left out, and finally “…” replaces the first steps of the last turn.
 */
export function news(now: NewsContext<MinesView>): string {
  const { me, name, letters } = now
  const last = turnsOf(now).slice(-MAX_TURNS)
  const attacks = last.flatMap(attacksOf).slice(-MAX_ENDS)
  const turns = last.map((turn) => ({
    turn,
    steps: turn.events.length ? stepsOf(turn) : [t('page-news-mines-nothing')],
    short: turn.events.length ? shortStepsOf(turn) : [t('page-news-mines-nothing')],
    ends: attacksOf(turn).filter(({ end }) => attacks.some((one) => one.end === end)).map((attack) => endOf(now, attack)),
  }))
  const stepsText = ({ seat }: Turn, steps: string[]) =>
    steps.length ? [t('page-news-mines-turn', { who: seat === me ? 'you' : 'other', name: name(seat), steps: steps.join(', ') })] : []
  /** Return the news with these steps of each turn. */
  const textOf = (stepsOfTurns: string[][]) => turns.flatMap(({ turn, ends }, k) => [...stepsText(turn, stepsOfTurns[k]!), ...ends]).join(' ')
  const [full, short] = [turns.map(({ steps }) => steps), turns.map((one) => one.short)]
  const onlyLast = (steps: string[]) => turns.map((_, k) => (k === turns.length - 1 ? steps : []))
  const [lastFull, lastShort] = [full.at(-1) ?? [], short.at(-1) ?? []]
  const cut = lastShort.map((_, k) => textOf(onlyLast(lastShort.slice(k + 1)))).map((text) => text && `… ${text}`)
  const choices = [textOf(full), textOf(short), textOf(onlyLast(lastFull)), textOf(onlyLast(lastShort)), ...cut].filter(Boolean)
  return choices.find((text) => text.length <= letters) ?? choices.at(-1) ?? ''
}
