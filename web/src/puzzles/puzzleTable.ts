// A puzzle as a local table: one position and one answer.
import type { Done, Message, Place } from '../client/types'
import type { OpenTable } from '../local/localServer'
import { BOT_NAMES } from '../local/localTable'
import type { Puzzle } from './puzzles'

let tables = 0

export class PuzzleTable {
  readonly id = `own-${`puzzle${++tables}`.padEnd(32, '_')}`
  readonly places: Place[]
  #onMessage: ((message: Message) => void) | null = null
  #answered = false

  constructor(
    readonly game: string,
    readonly puzzle: Puzzle,
    /** An answer was given: its place among those of the puzzle. */
    readonly onAnswer: (place: number, name: string) => void,
  ) {
    const { seat, view } = puzzle
    this.places = Array.from({ length: view.seats }, (_, at): Place => {
      const person = at === seat
      return { seat: at, kind: person ? 'person' : 'bot', name: BOT_NAMES[at]!, level: null, here: true, standing_in: false, kept: false, note: '' }
    })
  }

  /** The position; once an answer was given, without the question. */
  #message(): Message {
    const { seat, view, question, answers, refused } = this.puzzle
    const asked = !this.#answered
    const n = asked ? 0 : 1
    return {
      version: n, n, seat, told: [], oldest: 0, undo_to: null, undo_step: null, result: null, clocks: null, nudges: [],
      view: asked ? { ...view } : { ...view, to_act: [], question: null },
      ask: asked ? { question, legal: answers.flatMap(([names]) => names), refused } : null,
      table: {
        id: this.id, game: this.game, title: this.game, seats: view.seats, options: {}, places: this.places, phase: asked ? 'playing' : 'over', private: true, takeover: 0, hints: false,
        pace: 'steady', talk: 'none', silent: true, former_player: false, clock: null, host: true, invite: null, kept: null, commitment: '', fork: null, again: null, watching: 0, wish: null, chat: [],
      },
    }
  }

  /** What the house of one's own tables needs of it. */
  get openTable(): OpenTable {
    return {
      isWatched: false,
      listen: (heard) => {
        this.#onMessage = heard
        heard(this.#message())
        return () => (this.#onMessage = null)
      },
      answer: (_: number, answers: string[]): Promise<Done> => {
        const name = answers[0]!.slice(answers[0]!.indexOf(' ') + 1)
        const place = this.puzzle.answers.findIndex(([names]) => names.map(String).includes(name))
        this.#answered = true
        this.#onMessage?.(this.#message())
        this.onAnswer(place, name)
        return Promise.resolve({ n: 1, version: 1 })
      },
      fastForward: () => {},
    } as Partial<OpenTable> as OpenTable
  }
}
