// The client's description of mines.
import type { EventInfo, MinesView } from '../../client/types'
import { cardSymbols, isCard, rankOf } from '../../components/cards'
import type { GameUi, PromptContext } from '../gameUi'
import { isDiamond } from './opponentDiamonds'
import { cardsWithin, touching } from './pilePositions'
import { t } from '../../client/i18n.svelte'
import MinesBoard from './MinesBoard.svelte'

/** Return the player's piles that have cards (M6). */
const diggable = ({ owner, left }: MinesView, seat: number) =>
  new Set(owner.flatMap((one, pile) => (one === seat && left[pile] ? [String(pile)] : [])))

/** Return the ♣ in hand (M8). */
const clubs = ({ hand }: MinesView, seat: number) => new Set(hand[seat]?.filter((card) => card.startsWith('C')))

/** Return the ♠ in hand, if the player's piles hold at least two cards (M6). */
function spades({ owner, left, hand }: MinesView, seat: number): Set<string> {
  const cards = left.reduce((sum, number, pile) => sum + (owner[pile] === seat ? number : 0), 0)
  return new Set(cards < 2 ? [] : hand[seat]?.filter((card) => card.startsWith('S')))
}

/** Return whether a card in hand can be used after the dig: a ♥ to grow (M7), a ♣ to fight (M8). */
const canUseCard = ({ owner, hand }: MinesView, seat: number) =>
  Boolean(hand[seat]?.some((card) => (card.startsWith('H') && touching(owner, seat, null).length) || (card.startsWith('C') && touching(owner, seat, 1 - seat).length)))

type Prompt = PromptContext<MinesView>

const opponent = ({ me, name }: Prompt) => name(1 - me)
const hasCardAnswer = ({ legal }: Prompt) => legal.some(isCard)
/** Return whether an attack is certain to succeed, because the opponent has no cards to defend with (M8). */
const isDefenceless = ({ view, me }: Prompt) => view.hand_size[1 - me] === 0
/** Return the number of the contested pile, from 1. */
const foughtFor = ({ view }: Prompt) => view.attacked + 1
const cardsLeft = ({ view }: Prompt) => view.left[view.attacked] ?? 0

/** Return n such that about one in n of the cards that the player has not seen is a ♦. */
function diamondChance({ view, me, hand }: Prompt): number {
  const seen = [...hand, ...(view.known[me] ?? [])]
  return Math.round((52 - seen.length - view.discards.length) / (13 - seen.filter(isDiamond).length))
}

function asksForTurn(now: Prompt): string {
  const { view, me } = now
  const mayClaim = touching(view.owner, me, null).length > 0 // M4
  if (spades(view, me).size > 0) return t(mayClaim ? 'page-mines-ask-turn-spade' : 'page-mines-ask-turn-spade-barred')
  if (diggable(view, me).size > 0) return t(mayClaim ? 'page-mines-ask-turn' : 'page-mines-ask-turn-barred', { chance: diamondChance(now) })
  if (!canUseCard(view, me)) return t(mayClaim ? 'page-mines-ask-turn-pass' : 'page-mines-ask-turn-pass-barred')
  return t(mayClaim ? 'page-mines-ask-turn-empty' : 'page-mines-ask-turn-empty-barred')
}

/** Return the prompt for the first of two digs, with the advice to dig where the opponent can attack (M8), if anywhere. */
function asksToDig(now: Prompt): string {
  const { view, me } = now
  const exposed = touching(view.owner, 1 - me, me).some((pile) => view.left[pile]! > 0)
  return `${t('page-mines-ask-dig-first')} ${t(exposed ? 'page-mines-why-dig' : 'page-mines-why-dig-safe', { name: opponent(now) })}`
}

/** Return whether some, but not all, of the piles you can claim touch the opponent's. */
function isOnBothSides(now: Prompt): boolean {
  const beside = new Set(touching(now.view.owner, 1 - now.me, null).map(String))
  const piles = now.legal.filter((answer) => answer !== 'skip')
  return piles.some((pile) => beside.has(pile)) && !piles.every((pile) => beside.has(pile))
}

function asksToFight(now: Prompt): string {
  const name = opponent(now)
  if (now.card) return t('page-mines-ask-fight-with', { card: cardSymbols(now.card) })
  if (!clubs(now.view, now.me).size) return t('page-mines-ask-fight-unable', { name })
  return isDefenceless(now) ? t('page-mines-ask-fight-sure', { name }) : t('page-mines-ask-fight', { name, cards: now.view.hand_size[1 - now.me]! })
}

function asksForClub(now: Prompt): string {
  const [name, pile] = [opponent(now), foughtFor(now)]
  if (isDefenceless(now)) return t('page-mines-ask-fight-card-sure', { name, pile })
  return now.view.defence ? t('page-mines-ask-fight-card-ranked', { name, pile }) : t('page-mines-ask-fight-card', { name, pile })
}

function asksToDefend(now: Prompt): string {
  const [name, pile, card, left] = [opponent(now), foughtFor(now), cardSymbols(now.view.attack!), cardsLeft(now)]
  const isLast = now.view.owner.every((owner, one) => (owner === now.me) === (one === now.view.attacked)) // without a pile the game is lost (M11)
  if (isLast && hasCardAnswer(now)) return t('page-mines-ask-defend-last', { name, card })
  return hasCardAnswer(now) ? t('page-mines-ask-defend', { name, pile, card, left }) : t('page-mines-ask-defend-unable', { name, pile, card })
}

function asksToGive(now: Prompt): string {
  const diamonds = now.hand.filter(isDiamond).length
  const held = diamonds === 0 ? 'other' : diamonds === now.hand.length ? 'diamonds' : 'mixed'
  return t('page-mines-ask-give', { name: opponent(now), pile: foughtFor(now), held })
}

/** Explain who begins if the suit decided, or an ace, which is high in attacks, was cut (M2, F2). */
function remarkOnCut({ n, event }: EventInfo, log: readonly EventInfo[]): string {
  const [one, other] = log.filter((told) => told.n === n && told.event.event === 'cut').map((told) => rankOf(told.event.card!))
  if (event.event !== 'dealt' || !one) return ''
  return one === other ? ` ${t('page-mines-cut-equal')}` : [one, other].includes('A') ? ` ${t('page-mines-cut-ace')}` : ''
}

const BY_BARRING = 2 // a way to win (M11), as numbered in the rules

const mines: GameUi<MinesView> = {
  Board: MinesBoard,
  remark: remarkOnCut,
  news: () => import('./news'),
  help: () => import('./MinesHelp.svelte'),
  pad: () => import('./MinesScorePad.svelte'),
  questions: {
    claim: { asks: (now) => (isOnBothSides(now) ? t('page-mines-ask-claim', { name: opponent(now) }) : t('page-mines-ask-claim-any')), places: true, quiet: 'skip' },
    turn: { asks: asksForTurn, quiet: 'pass', pointless: (view, seat) => diggable(view, seat).size + Number(canUseCard(view, seat)) < 1 && 'go', through: { first: 'go', then: 'dig', places: diggable, cards: spades, skip: 'skip', maySkip: canUseCard, remark: 'page-mines-dig-first' } },
    dig: { asks: (now) => (hasCardAnswer(now) ? t('page-mines-ask-dig') : t('page-mines-ask-dig-one')), cards: true, places: true, quiet: 'skip' },
    dig_first: { asks: asksToDig, places: true },
    dig_second: { asks: () => t('page-mines-ask-dig-second'), places: true },
    grow: { asks: (now) => (hasCardAnswer(now) ? t('page-mines-ask-grow') : t('page-mines-ask-grow-unable')), cards: true, quiet: 'skip' },
    grow_pile: { asks: (now) => (isOnBothSides(now) ? t('page-mines-ask-grow-pile', { name: opponent(now) }) : t('page-mines-ask-grow-pile-any')), places: true },
    fight: { asks: asksToFight, places: true, quiet: 'end', cardFirst: { then: 'fight_card', cards: clubs } },
    fight_card: { isStep: true, asks: asksForClub, cards: true },
    defend: { isReply: true, asks: asksToDefend, cards: true, quiet: 'decline' },
    spoils: { asks: (now) => t('page-mines-ask-spoils', { name: opponent(now), pile: foughtFor(now), left: cardsLeft(now), cards: now.view.hand_size[1 - now.me]! }) },
    give: { isReply: true, isStep: true, asks: asksToGive, cards: true },
  },
  answers: {
    'claim skip': 'page-mines-claim-skip',
    'turn pass': 'page-mines-turn-pass',
    'turn go': 'page-mines-turn-go',
    'dig skip': 'page-mines-dig-skip',
    'grow skip': 'page-mines-grow-skip',
    'fight end': 'page-mines-fight-end',
    'defend decline': 'page-mines-defend-decline',
    'spoils conquer': 'page-mines-spoils-conquer',
    'spoils raid': 'page-mines-spoils-raid',
  },
  unavailable: 'page-mines-glowing',
  dealLabel: 'page-mines-game',
  final: () => import('./MinesFinalBoard.svelte'),
  scores: {
    title: 'page-mines-diamonds',
    suit: 'D',
    lost: { seven: 'page-mines-lost-seven', idle: 'page-mines-lost-idle', barred: 'page-mines-lost-barred', barred_as_seen: 'page-mines-lost-as-seen' },
    curve: ({ ending, seats }) =>
      ending === BY_BARRING
        ? { title: 'page-mines-turns-reach', scores: (view) => Array.from({ length: seats }, (_, seat) => cardsWithin(view, seat)), stretch: (view) => view.turns }
        : { title: 'page-mines-turns', scores: (view) => view.hand.map((cards) => cards?.filter(isDiamond).length ?? 0), stretch: (view) => view.turns },
  },
  coach: () => import('./coach'),
  difference: () => import('./difference'),
  standing: () => import('./standing'),
}
export default mines
