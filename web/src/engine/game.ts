// A game of one's own: a header and entries, and the row that follows from them. Written down it is a record that anyone can verify.
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Value } from '../net/options'
import { commitment, cut, deck, newSecret } from './deals'
import { chosen } from './options'
import { Refused } from './refused'
import type { Log, Result, Row, Rules } from './rules'

/** What is fixed before the first card. `seated` says who has each seat: `person`, `bot:5`. */
export interface Header {
  seats: number
  options?: Record<string, Value>
  players: string[]
  seated: string[]
  secret?: Uint8Array
  nonces?: Uint8Array[]
}

export interface Ask {
  seat: number
  question: string
  legal: (number | string)[]
}

export class OwnGame {
  readonly options: Record<string, Value>
  readonly entries: string[] = []
  readonly times: number[] = []
  readonly checksums: string[] = []
  readonly opening: Log
  private readonly secret: Uint8Array
  private readonly nonces: Uint8Array[]
  private row: Row

  constructor(
    readonly rules: Rules,
    readonly header: Header,
    private readonly record: string,
    private readonly now: () => number = Date.now,
  ) {
    this.options = chosen(rules.name, rules.info, header.seats, header.options ?? {})
    this.secret = header.secret ?? newSecret()
    this.nonces = header.nonces ?? Array.from({ length: header.seats }, () => new Uint8Array())
    this.row = this.cut()
    this.opening = this.dealt(this.row, this.checksums)
  }

  get over(): boolean {
    return this.rules.over(this.row)
  }

  get result(): Result | null {
    return this.over ? this.rules.result(this.row) : null
  }

  /** Who owes an answer, to what, and which are legal. */
  asks(): Ask[] {
    const { name, answers } = this.rules.info.questions[this.rules.question(this.row)]!
    return this.rules.toAct(this.row).map((seat) => ({ seat, question: name, legal: this.rules.legal(this.row, seat).map((k) => answers[k]!) }))
  }

  view = (seat: number): ReturnType<Rules['data']> => this.rules.data(this.rules.view(this.row, seat, false))

  /** What a bot in this seat is given. */
  seen = (seat: number): Row => this.rules.view(this.row, seat, true)

  /** Check and apply an answer; returns what is told. A refused one changes nothing. */
  answer(seat: number, question: string, answer: string | number): Log {
    const { rules, row } = this
    if (!Number.isInteger(seat) || seat < 0 || seat >= this.header.seats) throw new Refused('game-no-seat', { given: String(seat) })
    if (this.over) throw new Refused('game-over')
    if (!rules.toAct(row).includes(seat)) throw new Refused('game-not-your-turn')
    const asked = rules.info.questions[rules.question(row)]!
    if (question !== asked.name) throw new Refused('game-other-question', { question: asked.name, given: question })
    const number = asked.answers.findIndex((name) => String(name) === String(answer))
    if (number < 0) throw new Refused('game-no-answer', { given: String(answer), question: asked.name })
    if (!rules.legal(row, seat).includes(number)) throw new Refused(...rules.whyNot(row, seat, number))
    const log = rules.step(row, seat, number)
    this.note(`${seat} ${asked.name} ${asked.answers[number]}`)
    return [...log, ...this.dealt(row, this.checksums)]
  }

  /** Step back to what the game was after the first `to` entries; what that leaves out stays among them. */
  undo(seat: number, to: number): void {
    const [n, line] = [String(this.entries.length), `${seat} undo ${to}`]
    if (!Number.isInteger(to) || to < 0 || to > this.entries.length) throw new Refused('record-undo-ahead', { n, line })
    if (this.over) throw new Refused('record-undo-over', { n, line })
    const row = this.cut()
    this.dealt(row, [])
    for (const place of standing(this.entries, to)) {
      const [who, question, answer] = this.entries[place]!.split(' ')
      const { answers } = this.rules.info.questions.find(({ name }) => name === question)!
      this.rules.step(row, Number(who), answers.findIndex((name) => String(name) === answer))
      this.dealt(row, [])
    }
    this.row = row
    this.note(line)
  }

  /** The game as a record (docs/records.md). The secret is shown once it is over, or for the one person who keeps it. */
  toRecord(reveal = this.over): Record<string, unknown> {
    return {
      format: this.record,
      game: this.rules.name,
      rules_version: this.rules.info.version,
      seats: this.header.seats,
      options: this.options,
      players: this.header.players,
      seated: this.header.seated,
      commitment: commitment(this.secret),
      secret: reveal ? bytesToHex(this.secret) : null,
      nonces: this.nonces.map((nonce) => bytesToHex(nonce)),
      checksums: this.checksums,
      result: this.result,
      times: this.times,
      entries: this.entries,
    }
  }

  /** A row in which everyone has cut. */
  private cut(): Row {
    const row = this.rules.blank(this.header.seats, this.options)
    this.rules.start(row, cut(this.secret, this.nonces, this.header.seats, this.rules.pack(row)))
    return row
  }

  /** Hand out cards if they are wanted; how they lie is noted among some checksums. */
  private dealt(row: Row, checksums: string[]): Log {
    const { rules } = this
    if (!rules.wantsCards(row)) return []
    const log = rules.deal(row, deck(this.secret, this.nonces, rules.deals(row), rules.pack(row)))
    const { begins, packets } = rules.laidOut(row)
    const cards = packets.map((packet) => packet.join(' ')).join(', ')
    const line = `deal ${rules.deals(row) - 1}; begins ${begins}; ${cards}; scores ${rules.standing(row).scores.join(' ')}`
    checksums.push(bytesToHex(sha256(utf8ToBytes(line))).slice(0, 16))
    return log
  }

  /** One entry more; a clock that was put back does not turn their order round. */
  private note(line: string): void {
    this.entries.push(line)
    this.times.push(Math.max(this.now(), this.times.at(-1) ?? 0))
  }
}

/** The places of the answers that led to the state after `n` entries; what was undone is left out. */
function standing(entries: string[], n: number): number[] {
  const places: number[] = []
  while (n > 0) {
    const [, what, to] = entries[--n]!.split(' ')
    if (what === 'undo') n = Number(to)
    else if (what !== 'seat' && what !== 'timeout') places.push(n)
  }
  return places.reverse()
}
