// What the client has to know of a game. Each game is a folder here that fulfils this contract; no other file names one.
// Everything optional may be left out.
import type { Component, Snippet } from 'svelte'
import type { EventInfo, ScorePadLine, SeatInfo, Suit, TableInfo } from '../client/types'
import type { MessageId, CatalogPart } from '../client/i18n.svelte'
import type { Flight, Scene, VisibleTrick, View } from '../components/scene'

export interface GameUi<V extends View = View> {
  /** All that lies on the table but the own hand. */
  Board: Component<BoardProps<V>>
  /** The game as it is played at this table, in a few sentences, above the list of keys. */
  help?: () => Promise<{ default: Component<HelpProps> }>
  /** The score pad, which comes when it is first opened. */
  pad?: () => Promise<{ default: Component<PadProps<V>> }>
  /** How its questions are answered, by their names. What is not listed is answered by buttons. */
  questions: Record<string, QuestionUi<V>>
  /** Answers as buttons say them, by question and answer: `dig skip`. */
  answers: Record<string, MessageId>
  /** What is said when a place on the board is pressed that cannot be chosen. */
  unavailable?: MessageId
  /** Whether cards show what their suit does. */
  showsSuitActions?: boolean
  /** Cards of the own hand that are marked: with which drawing, and what that means. */
  marks?: { drawing: string; says: MessageId; cards(view: V, hand: readonly string[]): Set<string> }
  /** How many cards a seat was dealt; nothing where the view does not tell. */
  handSize?(view: V, seat: number): number | null
  /** Cards of a seat that are promised to another, until all have chosen. */
  promised?(view: V, seat: number): string[]
  tricks?: TrickUi<V>
  /** What flies over the table after these events. */
  flights?(events: readonly EventInfo[], view: V): Flight[]
  /** What the cards of one deal are called: a round, a hand. */
  dealLabel: MessageId
  /** What is shown when such a deal is over, before the next. */
  summary?: DealSummaryUi<V>
  scores: ScoreUi<V>
  /** The board when the game is over, where there is more to see than what was counted; it comes when that is known. */
  final?: () => Promise<{ default: Component<FinalProps<V>> }>
  /** What the coach says in someone's first game. */
  coach?: () => Promise<GameCoach<V>>
}

export interface GameCoach<V extends View = View> {
  /** The lines, the most urgent first: of those that are due, that one is shown. */
  lessons: CoachLesson<V>[]
  words: CatalogPart
  /** What lies on the table, told apart from what lay there before: lines about it go with it. */
  moment(view: V): string
}

/** One line of the coach, for the first moment of its kind. It says what is so, and why; what is best, a hint says. */
export interface CoachLesson<V extends View = View> {
  /** By this it is known which have been said. */
  name: string
  /** What it is about, and goes away with: the question to the player, what lies on the table, or what changed for the player, until their next answer. */
  about: 'question' | 'table' | 'outcome'
  /** The line, if this is such a moment. */
  text(now: CoachContext<V>): string | false | null | undefined
  /** What it recommends, if anything: choices, each of answers among which it leaves the player free; cards passed together in one string. */
  recommends?(now: CoachContext<V>): string[][] | null
}

/** What the coach goes by: nothing but what lies on the table for all who sit there. */
export interface CoachContext<V extends View = View> {
  view: V
  me: number
  hand: readonly string[]
  /** The question put to the player; nothing while others think. */
  question: string | null
  /** Its legal answers. */
  legal: readonly string[]
  /** What has just been told. */
  events: readonly EventInfo[]
  /** Whether the player may ask for a hint. */
  canHint: boolean
}

/** What lies open at the end: the view that sees everything, who sat where, who looks, and the places that the ending rests on. */
export interface FinalProps<V extends View = View> {
  view: V
  places: SeatInfo[]
  me: number | null
  positions: number[] | null
}

export interface BoardProps<V extends View = View> {
  scene: Scene<V>
  /** The places on the board that can be chosen now, as the answers name them, and what choosing one does. */
  targets?: Set<string> | null
  choose?: (one: string) => void
  /** What lies over the middle for a moment. */
  children?: Snippet
}

/** How a question is answered. What is legal and no card or place is a button. */
export interface QuestionUi<V extends View = View> {
  /** With a card in hand, at least sometimes. */
  cards?: boolean
  /** Whether that card goes to the trick. */
  trick?: boolean
  /** With several cards of the hand, which are picked first: how many are wanted still, and who gets them. */
  several?: { missing(view: V, seat: number): number; receiver(view: V, seat: number): number | null }
  /** With a place on the board: a pile, a player. */
  places?: boolean
  /** Cards that may be chosen before the place: they answer the question `then`, which follows. */
  cardFirst?: { then: string; cards(view: V, seat: number): Set<string> }
  /** A shortcut: while there are such places, the next question is answered together with this one. */
  through?: QuestionShortcut<V>
  /** Answers are numbers: small buttons, said in full to who hears them, perhaps with a suit. */
  numbers?: { label(one: string): string; suit?: Suit }
  /** On a phone the buttons lie over the middle. */
  overCenter?: boolean
  /** The answer that does nothing: its button is a plain one. */
  quiet?: string
  /** All who are asked answer at the same time. */
  simultaneous?: boolean
}

/** Answers to the question `then`, each sent after the answer `first` to the open question. */
export interface QuestionShortcut<V extends View = View> {
  first: string
  then: string
  /** The prompt while the shortcut is open. */
  prompt: MessageId
  places(view: V, seat: number): Set<string>
  cards(view: V, seat: number): Set<string>
  /** The answer that does nothing, as a button. */
  skip: string
}

export interface TrickUi<V extends View = View> {
  /** The trick that lies on the table. */
  current(view: V): VisibleTrick
  /** The trick before it, if there was one. */
  last(view: V): VisibleTrick | null
  /** The view while a finished trick or a summary is shown: what these events laid, won and moved since, and nothing else. */
  between(before: V, events: readonly EventInfo[]): V
}

export interface DealSummaryUi<V extends View = View> {
  title(view: V | null): string
  /** The events that end a deal. */
  endEvents: string[]
  /** The event from which on it is summed up, and all that are told then. */
  firstEvents: string[]
  events: string[]
  /** Those of them that are of a player even where partners share what they have. */
  perPlayer?: string[]
}

export interface ScoreUi<V extends View = View> {
  /** What is counted. */
  title: MessageId
  suit?: Suit
  /** The table at the end, where it shows more than what was counted. */
  Table?: () => Promise<{ default: Component<ScoresProps<V>> }>
  /** How a loser reads an ending that is told of the other player else, by its name. */
  lost?: Record<string, MessageId>
  /** How it stands after a deal, where that is known to all: the scores by seat. */
  standings?(view: V): number[]
  /** The curve: the scores by seat, and what tells one stretch of the game from the next. */
  curve?: { title: MessageId; scores(view: V): number[]; stretch(view: V): number }
}

/** One line of the table at the end: a team, its score, and whether it has won. */
export interface ScoreRow {
  team: number
  names: string
  score: number
  won: boolean
}

export interface ScoresProps<V extends View = View> {
  rows: ScoreRow[]
  view: V
  game: GameUi<V>
  /** Milliseconds since counting began. */
  elapsedMs: number
}

/** What is played here: the table's options by name, and how many play. */
export type HelpProps = Pick<TableInfo, 'options' | 'seats'>

/** What a score pad is written from: the deals that are over, and the table as it is. */
export interface PadProps<V extends View = View> {
  lines: ScorePadLine[]
  view: V
  places: SeatInfo[]
  me: number | null
}

/** How much of the time between two moments of the counting has passed, from 0 to 1. */
export const elapsedShare = (passed: number, from: number, to: number): number =>
  Math.max(0, Math.min(1, (passed - from) / (to - from)))
