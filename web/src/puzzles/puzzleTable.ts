// A puzzle as a local table: one position and one answer.
import type { CommittedResponse, SeatInfo, TableUpdate } from '../client/types'
import type { OpenTable } from '../local/localServer'
import { BOT_NAMES, OFFLINE_TABLE } from '../local/localTable'
import type { Puzzle } from './puzzles'

let tables = 0

export class PuzzleTable {
  readonly id = `own-${`puzzle${++tables}`.padEnd(32, '_')}`
  readonly places: SeatInfo[]
  #onMessage: ((message: TableUpdate) => void) | null = null
  #answered = false

  constructor(
    readonly game: string,
    readonly puzzle: Puzzle,
    /** Called with the index of the answer among the puzzle's answers. */
    readonly onAnswer: (place: number, name: string) => void,
  ) {
    const { seat, view } = puzzle
    this.places = Array.from({ length: view.seats }, (_, at): SeatInfo => {
      const person = at === seat
      return { seat: at, kind: person ? 'person' : 'bot', name: BOT_NAMES[at]!, level: null, connected: true, substituted: false, reserved: false, bot_status: '' }
    })
  }

  /** Return the position, without its question once that is answered. */
  #message(): TableUpdate {
    const { seat, view, question, answers, refused } = this.puzzle
    const asked = !this.#answered
    const n = asked ? 0 : 1
    return {
      version: n, n, seat, events: [], oldest_visible: 0, undo_min: null, undo_last: null, result: null, clocks: null, nudges: [],
      view: asked ? { ...view } : { ...view, to_act: [], question: null },
      open_question: asked ? { question, legal: answers.flatMap(([names]) => names), illegal: refused.map(({ cards, says }) => ({ cards, text: says })) } : null,
      table: {
        ...OFFLINE_TABLE,
        id: this.id, game: this.game, title: this.game, seats: view.seats, options: {}, seat_holders: this.places, phase: asked ? 'playing' : 'over', commitment: '',
        hints: false, chat_mode: 'none', chat_disabled: true,
      },
    }
  }

  /** The interface that the local server uses. */
  get openTable(): OpenTable {
    return {
      isWatched: false,
      listen: (heard) => {
        this.#onMessage = heard
        heard(this.#message())
        return () => (this.#onMessage = null)
      },
      answer: (_: number, answers: string[]): Promise<CommittedResponse> => {
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
