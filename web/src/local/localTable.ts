// A local table: one person and bots. Its messages equal those of a server's table
// (`server/tables/core/table_update.py`) and are computed from what is stored.
import { hexToBytes } from '@noble/hashes/utils.js'
import { LocalGame, EngineError, effectiveAnswers, type GameManifest, type Header, type Log, type Row, type RulesModule, type StackedDeck } from '../engine'
import type { EventInfo, IllegalCardsInfo, MessageRef, OpenQuestionInfo, ReplayResponse, ScorePadResponse, SeatInfo, TableInfo, TableUpdate, DealVerificationResponse } from '../client/types'
import { outcomeAt, type StoredOutcome, type StoredEntry, type StoredTable, type StoredStatus } from './localTableStore'

export const BOT_NAMES = ['Ada', 'Blaise', 'Carl', 'Dorothy', 'Emmy', 'Felix']
/** The part of `TableInfo` that is the same for every local table. */
export const OFFLINE_TABLE = {
  private: true, substitute_after_s: 0, hints: true, bot_speed: 'steady', chat_mode: 'all', chat_disabled: false, former_player: false, time_control: null, is_host: true, invite: null,
  reserved_seat: null, fork: null, daily: null, match: null, rematch_table: null, spectators: 0, proposal: null, chat: [],
} satisfies Partial<TableInfo>
const MAX_EVENTS = 400 // per message; older events are in the replay
const CHANGES_PER_N = 2 ** 20 // the version is n times this, plus the number of other changes

/** The events after an entry: those of the game, or an undo. */
type LoggedEvents = Log | { seat: number; to: number }

/** The display name of a player without a name, in the current language; never stored. */
export const ownName = { text: (): string => 'You' }
/** Names stored by earlier versions. */
const STORED_WORDS = ['You', 'Du']
const chosenName = (name: string): string => (STORED_WORDS.includes(name) ? '' : name)

/** Return the holder of a seat: `me`, or a bot. */
export function seatInfo(place: string, seat: number, me: string): SeatInfo {
  const [kind, level] = place.split(':') as [string, string?]
  const bot = kind === 'bot'
  return { seat, kind: bot ? 'bot' : 'person', name: bot ? BOT_NAMES[seat]! : me, level: level ?? null, connected: true, substituted: false, reserved: false, bot_status: '' }
}

export class LocalTable {
  readonly seat: number
  private readonly game: LocalGame
  private readonly info: GameManifest
  private readonly log: LoggedEvents[]
  /** The n at which each seat's open question was asked, and the n before the player's last answer that was not undone. */
  private readonly openedAt: number[]
  private lastOwnAnswer: number | null = null
  private dealtAt = 0
  private changes = 0

  constructor(
    readonly stored: StoredTable,
    readonly rules: RulesModule,
    private readonly recordFormat: string,
    private readonly stacked: StackedDeck | null = null,
  ) {
    if (stored.version !== rules.info.version) throw new EngineError('game-other-rules', { name: stored.game, version: stored.version, ours: rules.info.version })
    this.info = rules.info
    this.seat = stored.places.indexOf('me')
    this.game = this.newGame()
    this.log = [this.game.opening]
    this.openedAt = stored.places.map(() => 0)
  }

  get n(): number {
    return this.game.entries.length
  }
  get over(): boolean {
    return this.game.over
  }
  /** The n at which the player's question was asked. */
  get openSince(): number {
    return this.openedAt[this.seat]!
  }
  get header(): Header {
    return this.game.header
  }
  /** The seats to act. */
  get toAct(): number[] {
    return this.rules.toAct(this.game.state)
  }
  get question(): string {
    return this.info.questions[this.rules.question(this.game.state)]!.name
  }
  /** The status that lists show. */
  get status(): StoredStatus {
    return { last: this.game.times.at(-1) ?? this.stored.created, turn: this.toAct.includes(this.seat), over: this.over, outcome: this.outcomeOf(this.game.state) }
  }

  /** Return the status after more entries. */
  statusAfter(entries: StoredEntry[]): StoredStatus {
    const row = this.game.stateAfter(entries.map(({ line }) => line))
    return { last: entries.at(-1)!.at, turn: this.rules.toAct(row).includes(this.seat), over: this.rules.over(row), outcome: this.outcomeOf(row) }
  }

  private outcomeOf(row: Row): StoredOutcome | null {
    if (!this.rules.over(row)) return null
    return outcomeAt(this.rules.result(row), this.seat, this.stored.options['partnership'] === true)
  }
  /** The row itself, hidden information included. Do not change it. */
  get state(): Row {
    return this.game.state
  }
  get commitment(): string {
    return this.game.commitment
  }

  /** Return the view and the random bits from which a bot in this seat decides. */
  botInput = (seat: number): [view: Row, bits: bigint] => [this.game.botView(seat), this.game.botBits(seat)]
  answerText = (answer: number): string => `${this.question} ${this.info.questions[this.rules.question(this.game.state)]!.answers[answer]}`
  get lines(): readonly string[] {
    return this.game.entries
  }
  /** Return the legal answers of a seat. */
  legalAnswers = (seat: number): string[] => this.rules.legal(this.game.state, seat).map(this.answerText)
  /** Return whether the next answer of a seat continues its last one, because a set is named one card at a time. */
  appliesTo(seat: number): boolean {
    const { name, then } = this.info.questions[this.rules.question(this.game.state)]!
    return then === name && Boolean(this.game.entries.at(-1)?.startsWith(`${seat} ${name} `))
  }
  /** Return whether a question asked at n is still open. */
  isOpen = (seat: number, n: number): boolean => this.openedAt[seat]! <= n && n <= this.n && this.toAct.includes(seat)

  /** Return the entries for a seat's answers to its view at n; throw an error if they are not legal. Nothing changes. */
  answers(seat: number, n: number, answers: string[]): string[] {
    if (!this.over && !(this.openedAt[seat]! <= n && n <= this.n)) throw new EngineError('table-moved-on')
    return this.game.entriesOf(seat, answers)
  }

  /** Return the entry for an undo to before the player's last answer. */
  undoEntry(n: number, to: number): string[] {
    if (this.over) throw new EngineError('table-nothing-to-undo')
    if (n !== this.n) throw new EngineError('table-moved-on')
    const [first, last] = this.undoLimits
    if (last === null || to !== last || first === null) throw new EngineError('table-undo-own')
    return [`${this.seat} undo ${to}`]
  }

  /** Apply a stored entry. */
  apply({ line, at }: StoredEntry): void {
    const [who, what, value] = line.split(' ')
    const before = { asked: this.toAct, question: this.question, deals: this.rules.deals(this.game.state) }
    const log = this.game.applyEntry(line, at)
    const seat = Number(who)
    if (what === 'undo') {
      this.log.push({ seat, to: Number(value) })
      this.dealtAt = Math.min(this.dealtAt, Math.max(0, ...this.game.dealEnds.keys()))
      this.openedAt.fill(this.n)
      this.lastOwnAnswer = this.lastAnswer(Number(value))
      return
    }
    this.log.push(log)
    const dealt = this.rules.deals(this.game.state) > before.deals
    if (dealt) this.dealtAt = this.n
    if (seat === this.seat) this.lastOwnAnswer = this.n - 1
    const isSameQuestion = this.question === before.question && !dealt
    this.stored.places.forEach((_, other) => {
      if (!(isSameQuestion && other !== seat && before.asked.includes(other))) this.openedAt[other] = this.n
    })
  }

  /** Record a change outside the game. */
  markChanged(): void {
    this.changes++
  }

  /** Return the update for a viewer who has received everything up to n = `since`, the same for first load, change and reconnect. */
  message(since: number | null): TableUpdate {
    const { n, seat, game } = this
    const oldest = this.oldestVisible()
    let knownN = since === null || since > n ? this.dealtAt - 1 : since
    if (knownN < oldest) knownN = oldest - 1
    const [first, last] = this.undoLimits
    return {
      version: n * CHANGES_PER_N + this.changes,
      n,
      seat,
      view: game.view(seat),
      events: this.eventsSince(knownN),
      oldest_visible: oldest,
      open_question: this.openQuestion(),
      undo_min: first,
      undo_last: last,
      result: this.over ? { ...game.result, facts: this.rules.facts(game.state) } : null,
      table: this.tableInfo(),
      clocks: null,
      nudges: [],
    }
  }

  private get undoLimits(): [first: number | null, last: number | null] {
    if (this.lastOwnAnswer === null || this.over) return [null, null]
    const first = this.stored.fork?.n ?? 0
    return [this.lastOwnAnswer >= first ? first : null, this.lastOwnAnswer]
  }

  private eventsSince(known: number): EventInfo[] {
    const found: EventInfo[] = []
    for (let n = this.n; n > known && n >= 0 && found.length < MAX_EVENTS; n--) found.unshift(...this.eventsAt(n))
    return found.slice(-MAX_EVENTS)
  }

  private eventsAt(n: number): EventInfo[] {
    const events = this.log[n]!
    if (Array.isArray(events)) return this.rules.eventsFor(events, this.seat).map((event) => ({ n, event }) as EventInfo)
    return [{ n, event: { event: 'undo', ...events }, text: ['table-stepped-back', { seat: events.seat }] }]
  }

  /** The n of the oldest visible event: without the memory aid, the first card of the previous trick (C14). */
  private oldestVisible(): number {
    const expiry = this.info.fading
    if (!expiry || this.over || this.rules.flag(this.game.state, expiry.unless)) return 0
    let [card, tricks] = [0, 0]
    for (let n = this.n; n >= 0; n--) {
      const told = this.log[n]!
      if (!Array.isArray(told)) return n
      for (const row of told.toReversed()) {
        const kind = Number(row[0])
        if (kind === expiry.deal) return 0
        if (kind === expiry.trick && ++tricks === 2) return card
        if (kind === expiry.card) card = n
      }
    }
    return 0
  }

  /** Return the player's open question, with the reason for each card in hand that is not legal (R1). */
  private openQuestion(): OpenQuestionInfo | null {
    const { rules, seat } = this
    const row = this.game.state
    const ask = this.game.openQuestions().find((one) => one.seat === seat)
    if (!ask) return null
    const { answers } = this.info.questions[rules.question(row)]!
    const legal = new Set(rules.legal(row, seat))
    const refused = new Map<string, IllegalCardsInfo>()
    const hand = (this.game.view(seat)['hand'] as string[][] | undefined)?.[seat] ?? []
    for (const name of this.info.cards.every((card, k) => card === answers[k]) ? hand : []) {
      const card = answers.indexOf(name)
      if (legal.has(card)) continue
      const says = rules.whyNot(row, seat, card) as MessageRef
      const key = JSON.stringify(says)
      refused.set(key, { cards: [...(refused.get(key)?.cards ?? []), name], text: says })
    }
    return { question: ask.question, legal: ask.legal, illegal: [...refused.values()] }
  }

  tableInfo(): TableInfo {
    const { id, game, seats, pace, hints, fork, again } = this.stored
    const { options } = this.game
    const phase = this.over ? 'over' : 'playing'
    const places = this.stored.places.map((_, seat) => this.place(seat))
    return {
      ...OFFLINE_TABLE,
      id, game, title: game, seats, options, seat_holders: places, phase, hints: hints ?? true, bot_speed: pace, commitment: this.game.commitment, fork, rematch_table: again,
    }
  }

  private place = (seat: number): SeatInfo => seatInfo(this.stored.places[seat]!, seat, chosenName(this.stored.name) || ownName.text())

  /** Return the finished deals as the player may see them; after the game, everything. */
  pad(): ScorePadResponse {
    const lines = [...this.game.dealEnds.values()].map((row) => {
      const shown = this.rules.data(this.over ? row : this.rules.view(row, this.seat, false))
      const view = Object.fromEntries(this.info.pad.map((name) => [name, shown[name]]))
      return { deal: this.rules.deals(row), view }
    })
    return { lines }
  }

  /** Return all steps of the finished game with all hands open; undone answers appear between the steps. */
  replay(): ReplayResponse {
    if (!this.over) throw new EngineError('table-replay-not-over')
    const game = this.newGame()
    const places = effectiveAnswers(this.game.entries, this.n)
    const eventsOf = (n: number, log: Log): EventInfo[] => this.rules.eventsFor(log, null).map((event) => ({ n, event }) as EventInfo)
    const steps = [{ n: 0, answer: null as string | null, view: this.rules.data(game.state), events: eventsOf(0, game.opening) }]
    places.forEach((place, k) => {
      const line = this.game.entries[place]!
      const sideEvents = this.sideEvents(k + 1, (places[k - 1] ?? -1) + 1, place)
      const log = game.applyEntry(line, this.game.times[place]!)
      steps.push({ n: k + 1, answer: line, view: this.rules.data(game.state), events: [...sideEvents, ...eventsOf(k + 1, log)] })
    })
    return { table: this.tableInfo(), result: this.game.result, steps }
  }

  /** Return the side events before an answer: undos, and the fork. */
  private sideEvents(n: number, from: number, place: number): EventInfo[] {
    const found: EventInfo[] = []
    for (let k = from; k <= place; k++) {
      if (k === this.stored.fork?.n) found.push({ n, event: { event: 'fork' }, text: ['side-event-fork', {}] })
      const [who, what] = this.game.entries[k]!.split(' ')
      if (what === 'undo') found.push({ n, event: { event: 'undo', seat: Number(who) }, text: ['side-event-undo', { name: this.place(Number(who)).name }] })
    }
    return found
  }

  /** Return the record (docs/records.md) with its secret, because the player is alone. */
  toRecord = (): Record<string, unknown> => this.game.toRecord(true)

  /** Verify the deals against the committed secret: true by construction, because they are computed from it. */
  verify(): DealVerificationResponse {
    if (!this.over) throw new EngineError('table-secret-not-over')
    const fair: MessageRef = ['table-deals-fair', { number: this.rules.deals(this.game.state) }]
    const { fork } = this.stored
    return { ok: true, findings: fork ? [fair, ['record-played-on', { number: fork.n }]] : [fair] }
  }

  /** Return the first n answers that were not undone. */
  answersUpTo = (n: number): string[] => effectiveAnswers(this.game.entries, this.n).slice(0, n).map((place) => this.game.entries[place]!)

  private lastAnswer(n: number): number | null {
    return effectiveAnswers(this.game.entries, n).findLast((place) => this.game.entries[place]!.startsWith(`${this.seat} `)) ?? null
  }

  /** Return the game before the first answer. */
  private newGame(): LocalGame {
    const { seats, options, places, bots, secret, nonces, fork } = this.stored
    const players = places.map((place, seat) => (place === 'me' ? chosenName(this.stored.name) : this.place(seat).name))
    const seated = places.map((place) => (place === 'me' ? 'person' : place))
    return new LocalGame(this.rules, { seats, options, players, seated, bots, secret: hexToBytes(secret), nonces: nonces.map(hexToBytes), fork, stacked: this.stacked }, this.recordFormat)
  }
}
