// A table of one's own: one person and bots. What it tells is what a house's table would tell them (`server/table/telling.py`),
// worked out from what is kept.
import { hexToBytes } from '@noble/hashes/utils.js'
import { OwnGame, Refused, standing, type GameInfo, type Header, type Log, type Row, type Rules, type Stacked } from '../engine'
import type { AskInfo, Message, NotLegal, Pad, Place, Replay, Says, TableInfo, Told, Verdict } from '../client/types'
import type { Entry, Kept, Standing } from './storage'

export const BOT_NAMES = ['Ada', 'Blaise', 'Carl', 'Dorothy', 'Emmy', 'Felix']
const MOST_TOLD = 400 // events in one message; older ones are in the replay
const CHANGES = 2 ** 20 // what happens beside the entries; above it a version has n

/** What a table tells after an entry: rows of the game's events, or a step back. */
type Heard = Log | { seat: number; to: number }

/** Who has a seat: `me`, by that name, or a bot. */
export function placeOf(place: string, seat: number, me: string): Place {
  const [kind, level] = place.split(':') as [string, string?]
  const bot = kind === 'bot'
  return { seat, kind: bot ? 'bot' : 'person', name: bot ? BOT_NAMES[seat]! : me, level: level ?? null, here: true, standing_in: false, kept: false, note: '' }
}

export class OwnTable {
  readonly seat: number
  private readonly game: OwnGame
  private readonly info: GameInfo
  private readonly told: Heard[]
  /** The n from which on each seat's open question is open, and the n before one's own last answer that stands. */
  private readonly since: number[]
  private lastOwn: number | null = null
  private dealtAt = 0
  private changes = 0

  constructor(
    readonly kept: Kept,
    readonly rules: Rules,
    private readonly record: string,
    private readonly stacked: Stacked | null = null,
  ) {
    if (kept.version !== rules.info.version) throw new Refused('game-other-rules', { name: kept.game, version: kept.version, ours: rules.info.version })
    this.info = rules.info
    this.seat = kept.places.indexOf('me')
    this.game = this.begun()
    this.told = [this.game.opening]
    this.since = kept.places.map(() => 0)
  }

  get n(): number {
    return this.game.entries.length
  }
  get over(): boolean {
    return this.game.over
  }
  /** The n since which one's own question is open. */
  get openSince(): number {
    return this.since[this.seat]!
  }
  get header(): Header {
    return this.game.header
  }
  /** The seats that owe an answer. */
  get toAct(): number[] {
    return this.rules.toAct(this.game.whole)
  }
  get question(): string {
    return this.info.questions[this.rules.question(this.game.whole)]!.name
  }
  /** How it stands, for lists. */
  get standing(): Standing {
    return { last: this.game.times.at(-1) ?? this.kept.created, turn: this.toAct.includes(this.seat), over: this.over }
  }

  /** How it will stand once these have happened too. */
  standingAfter(entries: Entry[]): Standing {
    const row = this.game.ahead(entries.map(({ line }) => line))
    return { last: entries.at(-1)!.at, turn: this.rules.toAct(row).includes(this.seat), over: this.rules.over(row) }
  }
  /** The row as it is, with everything that lies hidden. */
  get whole(): Row {
    return this.game.whole
  }
  get commitment(): string {
    return this.game.commitment
  }

  /** What a bot in this seat is given, and what its answer is called. */
  seen = (seat: number) => this.game.seen(seat)
  called = (answer: number): string => `${this.question} ${this.info.questions[this.rules.question(this.game.whole)]!.answers[answer]}`
  /** All entries. */
  get lines(): readonly string[] {
    return this.game.entries
  }
  /** The answers that a seat may give now. */
  open = (seat: number): string[] => this.rules.legal(this.game.whole, seat).map(this.called)
  /** Whether a seat's answer is but another part of its last one: a set is named one by one. */
  carriesOn(seat: number): boolean {
    const { name, then } = this.info.questions[this.rules.question(this.game.whole)]!
    return then === name && Boolean(this.game.entries.at(-1)?.startsWith(`${seat} ${name} `))
  }
  /** Whether a question that was open at n is open still. */
  isOpen = (seat: number, n: number): boolean => this.since[seat]! <= n && n <= this.n && this.toAct.includes(seat)

  /** The entries that a seat's answers make, which rest on the view at n; refused if they cannot be given. Nothing changes. */
  answers(seat: number, n: number, answers: string[]): string[] {
    if (!this.over && !(this.since[seat]! <= n && n <= this.n)) throw new Refused('table-moved-on')
    return this.game.entriesOf(seat, answers)
  }

  /** The entry of one's own step back, to before one's last answer. */
  stepBack(n: number, to: number): string[] {
    if (this.over) throw new Refused('table-nothing-to-undo')
    if (n !== this.n) throw new Refused('table-moved-on')
    const [first, last] = this.undoLimits
    if (last === null || to !== last || first === null) throw new Refused('table-undo-own')
    return [`${this.seat} undo ${to}`]
  }

  /** An entry is kept: it has happened. */
  apply({ line, at }: Entry): void {
    const [who, what, value] = line.split(' ')
    const before = { asked: this.toAct, question: this.question, deals: this.rules.deals(this.game.whole) }
    const log = this.game.again(line, at)
    const seat = Number(who)
    if (what === 'undo') {
      this.told.push({ seat, to: Number(value) })
      this.since.fill(this.n)
      this.lastOwn = this.lastAnswer(Number(value))
      return
    }
    this.told.push(log)
    const dealt = this.rules.deals(this.game.whole) > before.deals
    if (dealt) this.dealtAt = this.n
    if (seat === this.seat) this.lastOwn = this.n - 1
    const same = this.question === before.question && !dealt
    this.kept.places.forEach((_, other) => {
      if (!(same && other !== seat && before.asked.includes(other))) this.since[other] = this.n
    })
  }

  /** Something besides the game has changed. */
  changed(): void {
    this.changes++
  }

  /** First load, update and return: one message, for whoever knows what was told up to n = `since`. */
  message(since: number | null): Message {
    const { n, seat, game } = this
    const oldest = this.oldest()
    let known = since === null || since > n ? this.dealtAt - 1 : since
    if (known < oldest) known = oldest - 1
    const [first, last] = this.undoLimits
    return {
      version: n * CHANGES + this.changes,
      n,
      seat,
      view: game.view(seat),
      told: this.heardSince(known),
      oldest,
      ask: this.ask(),
      undo_to: first,
      undo_step: last,
      result: this.over ? { ...game.result, facts: this.rules.facts(game.whole) } : null,
      table: this.tableInfo(),
      clocks: null,
      nudges: [],
    }
  }

  private get undoLimits(): [first: number | null, last: number | null] {
    if (this.lastOwn === null || this.over) return [null, null]
    const first = this.kept.fork?.n ?? 0
    return [this.lastOwn >= first ? first : null, this.lastOwn]
  }

  private heardSince(known: number): Told[] {
    const found: Told[] = []
    for (let n = this.n; n > known && n >= 0 && found.length < MOST_TOLD; n--) found.unshift(...this.heard(n))
    return found.slice(-MOST_TOLD)
  }

  private heard(n: number): Told[] {
    const told = this.told[n]!
    if (Array.isArray(told)) return this.rules.heard(told, this.seat).map((event) => ({ n, event }) as Told)
    return [{ n, event: { event: 'undo', ...told }, says: ['table-stepped-back', { seat: told.seat }] }]
  }

  /** The n of the oldest entry of which something may be told: where older tricks fade, the first card of the last one (C14). */
  private oldest(): number {
    const { fading } = this.info
    if (!fading || this.over || this.rules.flag(this.game.whole, fading.unless)) return 0
    let [card, tricks] = [0, 0]
    for (let n = this.n; n >= 0; n--) {
      const told = this.told[n]!
      if (!Array.isArray(told)) return n
      for (const row of told.toReversed()) {
        const kind = Number(row[0])
        if (kind === fading.deal) return 0
        if (kind === fading.trick && ++tricks === 2) return card
        if (kind === fading.card) card = n
      }
    }
    return 0
  }

  /** The question put to the person. Of the cards in hand that are not legal, why not (R1). */
  private ask(): AskInfo | null {
    const { rules, seat } = this
    const row = this.game.whole
    const ask = this.game.asks().find((one) => one.seat === seat)
    if (!ask) return null
    const { answers } = this.info.questions[rules.question(row)]!
    const legal = new Set(rules.legal(row, seat))
    const refused = new Map<string, NotLegal>()
    const hand = (this.game.view(seat)['hand'] as string[][] | undefined)?.[seat] ?? []
    for (const name of this.info.cards.every((card, k) => card === answers[k]) ? hand : []) {
      const card = answers.indexOf(name)
      if (legal.has(card)) continue
      const says = rules.whyNot(row, seat, card) as Says
      const key = JSON.stringify(says)
      refused.set(key, { cards: [...(refused.get(key)?.cards ?? []), name], says })
    }
    return { question: ask.question, legal: ask.legal, refused: [...refused.values()] }
  }

  tableInfo(): TableInfo {
    const { id, game, seats, pace, hints, fork, again } = this.kept
    const { options } = this.game
    const phase = this.over ? 'over' : 'playing'
    const places = this.kept.places.map((_, seat) => this.place(seat))
    return {
      id, game, title: game, seats, options, places, phase, private: true, takeover: 0, hints: hints ?? true, pace, talk: 'all', silent: false, former_player: false,
      clock: null, host: true, invite: null, kept: null, commitment: this.game.commitment, fork, again, watching: 0, wish: null, chat: [],
    }
  }

  private place = (seat: number): Place => placeOf(this.kept.places[seat]!, seat, this.kept.name)

  /** The deals that are over and stand, as the person may see them; once the game is over, everything. */
  pad(): Pad {
    const lines = [...this.game.closed.values()].map((row) => {
      const seen = this.rules.data(this.over ? row : this.rules.view(row, this.seat, false))
      const view = Object.fromEntries(this.info.pad.map((name) => [name, seen[name]]))
      return { deal: this.rules.deals(row), view }
    })
    return { lines }
  }

  /** Every step of the finished game, all hands open; what was taken back is told between the steps. */
  replay(): Replay {
    if (!this.over) throw new Refused('table-replay-not-over')
    const game = this.begun()
    const places = standing(this.game.entries, this.n)
    const told = (n: number, log: Log): Told[] => this.rules.heard(log, null).map((event) => ({ n, event }) as Told)
    const steps = [{ n: 0, answer: null as string | null, view: this.rules.data(game.whole), told: told(0, game.opening) }]
    places.forEach((place, k) => {
      const line = this.game.entries[place]!
      const beside = this.beside(k + 1, (places[k - 1] ?? -1) + 1, place)
      const log = game.again(line, this.game.times[place]!)
      steps.push({ n: k + 1, answer: line, view: this.rules.data(game.whole), told: [...beside, ...told(k + 1, log)] })
    })
    return { table: this.tableInfo(), result: this.game.result, steps }
  }

  /** What happened before an answer beside those that stand: steps back, and that the game is played on from another. */
  private beside(n: number, from: number, place: number): Told[] {
    const found: Told[] = []
    for (let k = from; k <= place; k++) {
      if (k === this.kept.fork?.n) found.push({ n, event: { event: 'fork' }, says: ['aside-fork', {}] })
      const [who, what] = this.game.entries[k]!.split(' ')
      if (what === 'undo') found.push({ n, event: { event: 'undo', seat: Number(who) }, says: ['aside-undo', { name: this.place(Number(who)).name }] })
    }
    return found
  }

  /** The record (docs/records.md); the one person at the table keeps it, so it shows the secret. */
  toRecord = (): Record<string, unknown> => this.game.toRecord(true)

  /** Whether the deals follow from the secret that was committed to: so they do, for here they are computed from it. */
  verdict(): Verdict {
    if (!this.over) throw new Refused('table-secret-not-over')
    const fair: Says = ['table-deals-fair', { number: this.rules.deals(this.game.whole) }]
    const { fork } = this.kept
    return { ok: true, says: fork ? [fair, ['record-played-on', { number: fork.n }]] : [fair] }
  }

  /** The answers that led to the state after so many of those that stand. */
  answersUpTo = (n: number): string[] => standing(this.game.entries, this.n).slice(0, n).map((place) => this.game.entries[place]!)

  private lastAnswer(n: number): number | null {
    return standing(this.game.entries, n).findLast((place) => this.game.entries[place]!.startsWith(`${this.seat} `)) ?? null
  }

  /** The game before anything was answered. */
  private begun(): OwnGame {
    const { seats, options, places, secret, nonces, fork } = this.kept
    const players = places.map((_, seat) => this.place(seat).name)
    const seated = places.map((place) => (place === 'me' ? 'person' : place))
    return new OwnGame(this.rules, { seats, options, players, seated, secret: hexToBytes(secret), nonces: nonces.map(hexToBytes), fork, stacked: this.stacked }, this.record)
  }
}
