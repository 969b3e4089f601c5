// The interface between the client and a game. Each game is a folder here that implements it; no other file names a
// game. Optional members may be omitted.
import type { Component, Snippet } from 'svelte'
import type { EventInfo, HintResponse, DealResultInfo, ReplayStep, SeatInfo, Suit, TableInfo } from '../client/types'
import type { MessageId, CatalogPart } from '../client/i18n.svelte'
import type { Flight, BoardScene, VisibleTrick, View } from '../components/boardScene'

export interface GameUi<V extends View = View> {
  /** Everything on the table except your hand. */
  Board: Component<BoardProps<V>>
  /** Help for the game with this table's options, shown above the list of keys. */
  help?: () => Promise<{ default: Component<HelpProps> }>
  /** The score pad, loaded when first opened. */
  pad?: () => Promise<{ default: Component<ScorePadProps<V>> }>
  /** The ways to answer questions, by the name of the question. Questions not listed are answered by buttons. */
  questions: Record<string, QuestionUi<V>>
  /** Labels of answer buttons, by question and answer: `dig skip`. */
  answers: Record<string, MessageId>
  /** The message when a place that cannot be chosen is pressed. */
  unavailable?: MessageId
  /** True if cards show their suit action. */
  showsSuitActions?: boolean
  /** Marked cards in your hand: the drawing, its meaning, and which cards. */
  marks?: { drawing: string; says: MessageId; cards(view: V, hand: readonly string[]): Set<string> }
  /** Return how many cards a seat was dealt; `null` if the view does not show it. */
  handSize?(view: V, seat: number): number | null
  /** Return the cards that a seat has chosen to pass, until all players have chosen. */
  promised?(view: V, seat: number): string[]
  tricks?: TrickUi<V>
  /** Return the objects that fly across the table after these events. */
  flights?(events: readonly EventInfo[], view: V): Flight[]
  /** The word for one deal: round, hand. */
  dealLabel: MessageId
  /** The news in the game's own words, instead of the latest events. */
  news?: () => Promise<{ news(now: NewsContext<V>): string }>
  /** Return the game's own text for an event, or an empty string for the usual message. `isLast` is set for the last trick, when its deal's summary shows it. `who` is “you” or the name of its player. */
  eventText?(event: EventInfo['event'], view: V, who: string, isLast: boolean): string
  /** Return a remark that follows the text of an event. */
  remark?(told: EventInfo, log: readonly EventInfo[]): string
  /** The summary shown after a deal, before the next one. */
  summary?: DealSummaryUi<V>
  scores: ScoreUi<V>
  /** The final board with the scores, instead of only the scores. */
  final?: () => Promise<{ default: Component<FinalBoardProps<V>> }>
  /** The direct effect of an answer, in one or two sentences that begin with the answer. Hints say it first. In games that have it, the coach's hint at each decision is beside the cards, and not in the coach's place. `includedReasons` are the reasons that it already gives; `whyEqual` is a fact about cards that all score about the same. */
  directEffect?: () => Promise<{ directEffect(now: EffectContext<V>): string; directOutcome?(view: V, card: string): TrickOutcome; includedReasons?: readonly string[]; whyEqual?(view: V, me: number, cards: readonly string[]): string }>
  /** The coach for a first game. */
  coach?: () => Promise<GameCoach<V>>
  /** The main difference between the winner and another player of a finished game. */
  difference?: () => Promise<{ difference(now: DifferenceContext<V>): string }>
  /** The line about the leader; loaded after the deal. */
  standing?: () => Promise<StandingDescriber<V>>
}

/** What a game's news is made from: the events so far, the view, and approximately how many letters fit. */
export interface NewsContext<V extends View = View> {
  log: readonly EventInfo[]
  view: V
  me: number
  letters: number
  name(seat: number): string
}

export interface StandingDescriber<V extends View = View> {
  standing(now: StandingContext<V>): string | StandingRow[]
  words: CatalogPart
}

/** One row of a standing: either all players or teams, best first, or a text. */
export interface StandingRow {
  label: string
  /** The unit of the values, shown where there is room. */
  unit?: string
  entries?: StandingEntry[]
  /** True if the last entries may be left out where there is no room, so that the first ones are readable. */
  isPartial?: boolean
  text?: string
}

/** A player's or team's place, shared by equals; `null` while all are equal. */
export interface StandingEntry {
  place: number | null
  name: string
  value: string
  isMine: boolean
  /** The points gained or lost since your last card. */
  change?: number
}

/** Return entries by points, best first; equals keep their order. */
export function ranked(all: { name: string; isMine: boolean; points: number; change?: number }[], show: (points: number) => string): StandingEntry[] {
  const isLevel = all.every(({ points }) => points === all[0]!.points)
  return [...all]
    .sort((a, b) => b.points - a.points)
    .map(({ points, ...entry }) => ({ ...entry, place: isLevel ? null : 1 + all.filter((other) => other.points > points).length, value: show(points) }))
}

/** The input of a standing. */
export interface StandingContext<V extends View = View> {
  view: V
  me: number | null
  name(seat: number): string
  /** The events so far. */
  log: readonly EventInfo[]
}

export interface GameCoach<V extends View = View> {
  /** The tips, most urgent first. The first one that is due is shown. */
  tips: CoachTip<V>[]
  words: CatalogPart
  /** Return a key of the cards on the table; tips about the table end when it changes. */
  moment(view: V): string
}

/** The effect of a card in the trick on the table so far: it wins or loses the trick, or gives away ♦ that count; `null` if unclear. */
export type TrickOutcome = 'wins' | 'loses' | 'gives' | null

/** A finished game and two of its teams: `first` won, and `second` is the viewer's or, if the viewer won, the best of the others. */
export interface DifferenceContext<V extends View = View> {
  steps: readonly Pick<ReplayStep, 'events'>[]
  view: V
  first: number
  second: number
  /** The names of the two teams, as in the middle of a sentence. */
  name: string
  other: string
  scores: readonly number[]
  ended: string
}

/** The input of `directEffect`: an answer, or a set of cards passed together. */
export interface EffectContext<V extends View = View> {
  view: V
  me: number
  question: string
  legal: readonly string[]
  answers: readonly (string | number)[]
  /** True if the hint gives a reason of its own, so that the effect need not say what it gains. */
  hasReason?: boolean
  /** True if a reason follows that needs the room: say only that the card wins so far. */
  isBrief?: boolean
  name(seat: number): string
}

/** A tip of the coach for the first moment of its kind. It explains the situation; hints recommend answers. */
export interface CoachTip<V extends View = View> {
  /** A unique name, under which the browser remembers that the tip was shown. */
  name: string
  /** The subject; the tip disappears with it: the open question, the cards on the table, or a change for the player (until the next trick or turn). */
  about: 'question' | 'table' | 'outcome'
  /** Return the text if this is such a moment. */
  text(now: CoachContext<V>): string | false | null | undefined
  /** Return what the tip recommends, if anything: a list of choices, each with its equally good answers. Cards passed together form one string. */
  recommends?(now: CoachContext<V>): string[][] | null
}

/** The information available to tips: public facts and the player's own cards. */
export interface CoachContext<V extends View = View> {
  view: V
  me: number
  hand: readonly string[]
  /** The open question of the player; `null` while others are to act. */
  question: string | null
  legal: readonly string[]
  /** The latest events. */
  events: readonly EventInfo[]
  canHint: boolean
  /** The hint for the question, once it is known. */
  hint?: HintResponse | null
}

/** Props of the final board: the full view, the players, the viewer's seat, the positions that decided the game, and the scores. */
export interface FinalBoardProps<V extends View = View> {
  view: V
  places: SeatInfo[]
  me: number | null
  positions: number[] | null
  rows: ScoreRow[]
  game: GameUi<V>
}

export interface BoardProps<V extends View = View> {
  scene: BoardScene<V>
  /** The places on the board that can be chosen, by answer name, and the function that chooses one. */
  targets?: Set<string> | null
  choose?: (one: string) => void
  /** A temporary overlay of the center. */
  children?: Snippet
}

/** The input of a prompt. */
export interface PromptContext<V extends View = View> {
  view: V
  me: number
  hand: readonly string[]
  legal: readonly string[]
  /** The card selected before its target. */
  card: string | null
  name(seat: number): string
}

/** The way to answer a question. Legal answers that are neither cards nor places become buttons. */
export interface QuestionUi<V extends View = View> {
  /** Return the prompt: why the question is asked, and what the choices do. */
  asks?(now: PromptContext<V>): string
  /** True if the question is asked during the turn of another player. */
  isReply?: boolean
  /** True if cards from the hand can answer the question. */
  cards?: boolean
  /** True if the card is only a step of a move, so that the setting `steps` also plays it if there is no other. */
  isStep?: boolean
  /** Return an answer without any effect, for which there is no button. */
  pointless?(view: V, seat: number): string | false
  /** True if the chosen card goes to the trick. */
  trick?: boolean
  /** Set if several cards from the hand answer the question together; `missing` returns how many are still to pick. */
  several?: { missing(view: V, seat: number): number }
  /** True if the question follows a finished trick, which stays on the table until the answer. */
  ofTrick?: boolean
  /** True if a place on the board answers the question: a pile or a player. */
  places?: boolean
  /** Cards that may be chosen before the place; they answer the next question, `then`. */
  cardFirst?: { then: string; cards(view: V, seat: number): Set<string> }
  /** A shortcut: pressing one of these places answers this question and the next. */
  through?: CombinedAnswer<V>
  /** Numeric answers: small buttons with a spoken label, optionally with a suit. */
  numbers?: { label(one: string): string; suit?: Suit }
  /** True if the buttons overlay the center on phones. */
  overCenter?: boolean
  /** The answer that does nothing; its button is plain. */
  quiet?: string
  /** True if all players answer simultaneously. */
  simultaneous?: boolean
}

/** A shortcut past a question: `first` answers it, and the chosen place or card answers `then`. */
export interface CombinedAnswer<V extends View = View> {
  first: string
  then: string
  places(view: V, seat: number): Set<string>
  cards(view: V, seat: number): Set<string>
  /** The answer that skips the question. It gets a button if `maySkip` returns true: if another step follows. */
  skip: string
  maySkip(view: V, seat: number): boolean
  /** A hint's sentence about the answer `skip`, which hints do not compare. */
  remark?: MessageId
}

export interface TrickUi<V extends View = View> {
  /** Return the trick on the table. */
  current(view: V): VisibleTrick
  /** Return the previous trick, if any. */
  last(view: V): VisibleTrick | null
  /** Return the view during a finished trick or a summary: the view before it, changed only by these events. */
  between(before: V, events: readonly EventInfo[]): V
}

export interface DealSummaryUi<V extends View = View> {
  title(view: V | null): string
  /** Return who won the game, or that another deal follows; empty if an event says so. `name` returns “you” for the player. */
  outcome?(view: V, name: (seat: number) => string): string
  /** The events that end a deal. */
  endEvents: string[]
  /** The events that begin the summary, and all events that it lists. */
  firstEvents: string[]
  events: string[]
  /** Events that concern one player even if partners share everything else. */
  perPlayer?: string[]
  /** The value of an event to its player, in points. */
  points?: Record<string, number>
}

export interface ScoreUi<V extends View = View> {
  /** The unit of the score. */
  title: MessageId
  suit?: Suit
  /** The game's own table of the final scores, if the common one shows too little. */
  Table?: () => Promise<{ default: Component<FinalScoresProps<V>> }>
  /** Messages for the loser, by the name of the ending, if they differ from the winner's. */
  lost?: Record<string, MessageId>
  /** Return the scores by seat after a deal, if they are public. */
  standings?(view: V): number[]
  /** The chart; it may depend on how the game ended. */
  curve?: ScoreCurve<V> | ((final: V) => ScoreCurve<V>)
}

/** A chart: scores by seat, and for each view the number of its round, hand or turn. */
export interface ScoreCurve<V extends View = View> {
  title: MessageId
  scores(view: V): number[]
  stretch(view: V): number
}

/** One row of the final scores: a team, its score, and whether it won. */
export interface ScoreRow {
  team: number
  seats: readonly number[]
  names: string
  score: number
  won: boolean
}

export interface FinalScoresProps<V extends View = View> {
  rows: ScoreRow[]
  view: V
  game: GameUi<V>
}

/** The options and the number of seats of this table. */
export type HelpProps = Pick<TableInfo, 'options' | 'seats'>

/** Props of a score pad: the finished deals and the current table. */
export interface ScorePadProps<V extends View = View> {
  lines: DealResultInfo[]
  view: V
  places: SeatInfo[]
  me: number | null
}
