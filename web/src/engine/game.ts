// A local game: header, entries, and the row computed from them. Anyone can verify its record.
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { OptionValue } from '../client/options'
import { commitment, cut, deck, newSecret } from './deals'
import { checkOptions } from './options'
import { EngineError } from './error'
import type { Log, Result, Row, RulesModule } from './rules'

/** The game that was forked: the commitment of its deals, and the number of shared answers. */
export interface Fork {
  commitment: string
  n: number
}

/** A fixed arrangement of cards: the cut of each seat, and the deck of the first deal. */
export interface StackedDeck {
  cut: number[]
  deck: number[]
}

/** The data fixed before the first card. `seated` has each seat's player: `person`, `bot:5`. */
export interface Header {
  seats: number
  options?: Record<string, OptionValue>
  players: string[]
  seated: string[]
  /** The version of the bots at the start. */
  bots?: string | undefined
  secret?: Uint8Array
  nonces?: Uint8Array[]
  fork?: Fork | null
  stacked?: StackedDeck | null
}

/** Entries that do not change the game: a seat change or a timeout. */
const SIDE_ENTRIES = ['seat', 'timeout']

export interface OpenQuestion {
  seat: number
  question: string
  legal: (number | string)[]
}

export class LocalGame {
  readonly options: Record<string, OptionValue>
  readonly entries: string[] = []
  readonly times: number[] = []
  readonly checksums: string[] = []
  readonly opening: Log
  /** The row at the end of each deal that was not undone, by number of entries, for the score pad. */
  readonly dealEnds = new Map<number, Row>()
  readonly secret: Uint8Array
  readonly nonces: Uint8Array[]
  private row: Row
  /** The row when the open question was asked, and the answers given since. All seats may answer simultaneously. */
  private asked!: Row
  private given: string[] = []

  constructor(
    readonly rules: RulesModule,
    readonly header: Header,
    private readonly recordFormat: string,
    private readonly now: () => number = Date.now,
  ) {
    this.options = checkOptions(rules.name, rules.info, header.seats, header.options ?? {})
    this.secret = header.secret ?? newSecret()
    this.nonces = header.nonces ?? Array.from({ length: header.seats }, () => new Uint8Array())
    this.row = this.newCutState()
    this.opening = this.dealIfDue(this.row, this.checksums)
    this.ask()
  }

  get over(): boolean {
    return this.rules.over(this.row)
  }

  get result(): Result | null {
    return this.over ? this.rules.result(this.row) : null
  }

  /** Return the seats to act, each with its question and legal answers. */
  openQuestions(): OpenQuestion[] {
    const { name, answers } = this.rules.info.questions[this.rules.question(this.row)]!
    return this.rules.toAct(this.row).map((seat) => ({ seat, question: name, legal: this.rules.legal(this.row, seat).map((k) => answers[k]!) }))
  }

  view = (seat: number): ReturnType<RulesModule['data']> => this.rules.data(this.rules.view(this.row, seat, false))

  /** Return the view from which a bot in this seat decides. It includes the seat's own answers to the open question, but not those of others. */
  botView(seat: number): Row {
    const own = this.given.filter((line) => line.startsWith(`${seat} `))
    return this.rules.view(own.reduce<Row>((row, line) => this.applyLine(row, line), this.asked.slice()), seat, true)
  }

  /** Return the random bits of a bot's next answer in this seat. They are the same whenever it is asked (docs/records.md). */
  botBits(seat: number): bigint {
    const n = effectiveAnswers(this.entries, this.entries.length).filter((place) => this.entries[place]!.startsWith(`${seat} `)).length
    return new DataView(sha256(utf8ToBytes(`${bytesToHex(this.secret)} bot ${seat} at ${n}`)).buffer).getBigUint64(0)
  }

  /** Record that a question is open. */
  private ask(): void {
    this.asked = this.row.slice()
    this.given = []
  }

  /** Apply an answer with `step`, and record whether the question stays open for others. */
  private track<T>(step: () => T, line: string): T {
    const { rules, row } = this
    const [question, deals, seats] = [rules.question(row), rules.deals(row), rules.toAct(row)]
    const done = step()
    if (question === rules.question(row) && deals === rules.deals(row) && rules.toAct(row).every((seat) => seats.includes(seat))) this.given.push(line)
    else this.ask()
    return done
  }

  /** The commitment to the secret, shown before anyone sits down. */
  get commitment(): string {
    return commitment(this.secret)
  }

  /** The row itself, hidden information included. Do not change it. */
  get state(): Row {
    return this.row
  }

  /** Check and apply an answer; return its events. An illegal answer changes nothing. */
  answer(seat: number, question: string, answer: string | number): Log {
    const number = this.checkAnswer(this.row, seat, question, answer)
    return this.applyAnswer(seat, number, this.entryText(seat, number), this.now())
  }

  /** Return the entries for answers such as “play H7”, all of one seat. Throw an error if any is illegal. Nothing changes. */
  entriesOf(seat: number, answers: string[]): string[] {
    const row = this.row.slice()
    return answers.map((words) => {
      const [question = '', answer = ''] = words.split(' ')
      const number = this.checkAnswer(row, seat, question, answer)
      const line = this.entryText(seat, number, row)
      this.rules.step(row, seat, number)
      return line
    })
  }

  /** Append an entry with its time; return its events. The entry must be well-formed. */
  applyEntry(line: string, at: number): Log {
    const [who, what, value] = line.split(' ')
    const seat = Number(who)
    if (SIDE_ENTRIES.includes(what!)) {
      this.recordEntry(line, at)
      return []
    }
    if (what !== 'undo') return this.applyAnswer(seat, this.checkAnswer(this.row, seat, what!, value!), line, at)
    this.checkUndo(line, Number(value))
    this.returnTo(Number(value))
    this.recordEntry(line, at)
    return []
  }

  /** Return to the state after the first `to` entries; the undone entries remain in the list. */
  undo(seat: number, to: number): void {
    const line = `${seat} undo ${to}`
    this.checkUndo(line, to)
    this.returnTo(to)
    this.recordEntry(line, this.now())
  }

  /** Throw an error if an undo goes beyond the existing entries or comes after the end of the game. */
  private checkUndo(line: string, to: number): void {
    const place = { n: String(this.entries.length), line: line.slice(0, 40) }
    if (!Number.isInteger(to) || to < 0 || to > this.entries.length) throw new EngineError('record-undo-ahead', place)
    if (this.over) throw new EngineError('record-undo-over', place)
  }

  private returnTo(to: number): void {
    this.row = this.newCutState()
    this.dealIfDue(this.row, [])
    this.ask()
    for (const place of effectiveAnswers(this.entries, to)) this.track(() => this.applyLine(this.row, this.entries[place]!), this.entries[place]!)
    for (const n of this.dealEnds.keys()) if (n > to) this.dealEnds.delete(n)
  }

  /** Return the row after the first `to` entries. */
  private rowAt(to: number): Row {
    const row = this.newCutState()
    this.dealIfDue(row, [])
    for (const place of effectiveAnswers(this.entries, to)) this.applyLine(row, this.entries[place]!)
    return row
  }

  /** Return the row after an entry. An undo returns an earlier row. */
  private applyLine(row: Row, line: string): Row {
    const [who, what, value] = line.split(' ')
    if (what === 'undo') return this.rowAt(Number(value))
    const { answers } = this.rules.info.questions.find(({ name }) => name === what)!
    this.rules.step(row, Number(who), answers.findIndex((name) => String(name) === value))
    this.dealIfDue(row, [])
    return row
  }

  /** Return the row after entries that have not been applied yet. */
  stateAfter = (lines: string[]): Row => lines.reduce<Row>((row, line) => this.applyLine(row, line), this.row.slice())

  private checkAnswer(row: Row, seat: number, question: string, answer: string | number): number {
    const { rules } = this
    if (!Number.isInteger(seat) || seat < 0 || seat >= this.header.seats) throw new EngineError('game-no-seat', { given: String(seat) })
    if (rules.over(row)) throw new EngineError('game-over')
    if (!rules.toAct(row).includes(seat)) throw new EngineError('game-not-your-turn')
    const asked = rules.info.questions[rules.question(row)]!
    if (question !== asked.name) throw new EngineError('game-other-question', { question: asked.name, given: question })
    const number = asked.answers.findIndex((name) => String(name) === String(answer))
    if (number < 0) throw new EngineError('game-no-answer', { given: String(answer), question: asked.name })
    if (!rules.legal(row, seat).includes(number)) throw new EngineError(...rules.whyNot(row, seat, number))
    return number
  }

  /** Return an answer to the open question as an entry. */
  private entryText(seat: number, number: number, row = this.row): string {
    const { name, answers } = this.rules.info.questions[this.rules.question(row)]!
    return `${seat} ${name} ${answers[number]}`
  }

  /** Apply a legal answer. */
  private applyAnswer(seat: number, number: number, line: string, at: number): Log {
    const { rules, row } = this
    return this.track(() => {
      const log = rules.step(row, seat, number)
      this.recordEntry(line, at)
      if (rules.info.pad.length && !rules.isAnyoneToAct(row)) this.dealEnds.set(this.entries.length, row.slice())
      return [...log, ...this.dealIfDue(row, this.checksums)]
    }, line)
  }

  /** Return the game as a record (docs/records.md). It reveals the secret once the game is over, or earlier with `reveal` for a lone player. */
  toRecord(reveal = this.over): Record<string, unknown> {
    return {
      format: this.recordFormat,
      game: this.rules.name,
      rules_version: this.rules.info.version,
      seats: this.header.seats,
      options: this.options,
      players: this.header.players,
      seated: this.header.seated,
      ...(this.header.bots ? { bots: this.header.bots } : {}),
      commitment: this.commitment,
      secret: reveal ? bytesToHex(this.secret) : null,
      nonces: this.nonces.map((nonce) => bytesToHex(nonce)),
      ...(this.header.fork ? { fork: this.header.fork } : {}),
      checksums: this.checksums,
      result: this.result,
      times: this.times,
      entries: this.entries,
    }
  }

  /** Return a row after the cut. */
  private newCutState(): Row {
    const row = this.rules.blank(this.header.seats, this.options)
    this.rules.start(row, this.header.stacked?.cut ?? cut(this.secret, this.nonces, this.header.seats, this.rules.pack(row)))
    return row
  }

  /** Deal if the game asks for cards, and append a checksum of the deal. */
  private dealIfDue(row: Row, checksums: string[]): Log {
    const { rules } = this
    if (!rules.wantsCards(row)) return []
    const stacked = rules.deals(row) ? undefined : this.header.stacked?.deck
    const log = rules.deal(row, stacked ?? deck(this.secret, this.nonces, rules.deals(row), rules.pack(row)))
    const { begins, packets } = rules.laidOut(row)
    const cards = packets.map((packet) => packet.join(' ')).join(', ')
    const line = `deal ${rules.deals(row) - 1}; begins ${begins}; ${cards}; scores ${rules.standings(row).scores.join(' ')}`
    checksums.push(bytesToHex(sha256(utf8ToBytes(line))).slice(0, 16))
    return log
  }

  /** Append an entry. Its time is never before that of the previous one. */
  private recordEntry(line: string, at: number): void {
    this.entries.push(line)
    this.times.push(Math.max(at, this.times.at(-1) ?? 0))
  }
}

/** Return the indexes of the answers that led to the state after `n` entries, without undone ones. */
export function effectiveAnswers(entries: readonly string[], n: number): number[] {
  const places: number[] = []
  while (n > 0) {
    const [, what, to] = entries[--n]!.split(' ')
    if (what === 'undo') n = Number(to)
    else if (!SIDE_ENTRIES.includes(what!)) places.push(n)
  }
  return places.reverse()
}
