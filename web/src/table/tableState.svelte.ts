// One table as this page knows it: the newest message, the picture that is shown, and what the player is about to say.
import { heard } from './mutedSpeakers.svelte'
import { load } from '../games'
import type { Asks, Game } from '../games/contract'
import { Refusal, Stream, newKey, post, sitting } from '../client/api'
import { isOwn } from '../client/localTables'
import { ascending } from '../components/cards'
import { asked, happened, standing } from '../components/eventText'
import { later } from '../client/lazy'
import { nameOf, type Cut, type View } from '../components/scene'
import { ahead, frames, isUndo, type Frame } from './frames'
import { settings } from '../components/settings.svelte'
import { sound } from '../components/sound'
import type { AskInfo, Done, Message, Says, TableInfo, Told } from '../client/types'
import { inWords, say, worded } from '../client/i18n.svelte'

const LOG = 400
const CUT_SECONDS = 3.5
const HURRIED = 350 // milliseconds that a picture stays where the player has no wish to wait
const BEAT = { quick: 400, steady: 800, calm: 1800 } // milliseconds, as the table's bots go (`pace.py`)
const BUTTONS: Asks = {}

const said = (ask: AskInfo, answer: string): string => `${ask.question} ${answer}`

export class TableState {
  /** What the page knows of the game, once it is here. */
  game = $state.raw<Game | null>(null)
  /** The newest message heard. */
  latest = $state.raw<Message | null>(null)
  /** The picture shown, which may be a little behind while a trick is being read. */
  frame = $state.raw<Frame | null>(null)
  log = $state.raw<Told[]>([])
  online = $state(true)
  /** One sentence about what could not be done; it goes away with the next answer. */
  problem = $state('')
  /** What was answered and is not yet confirmed. */
  pending = $state.raw<string[]>([])
  /** Cards picked for passing. */
  picked = $state.raw<string[]>([])
  /** The card that a first tap has raised, where taps are confirmed. */
  armed = $state<string | null>(null)
  /** The card chosen while others think: it is played when one is asked, unless it may not be. */
  planned = $state<string | null>(null)
  /** Whether that was a first tap, and a second is still to come. */
  #tapped = false
  /** Whether the last trick is looked up. */
  lookingBack = $state(false)
  missing = $state('')
  /** When the newest message was heard, by `performance.now()`; and since then, how long the open question has lain here. */
  heardAt = 0
  spent = (): number | undefined => undefined
  /** What was cut, for a moment when the game begins. */
  cut = $state.raw<Cut | null>(null)

  info: TableInfo | null = $derived(this.latest?.table ?? null)
  seat: number | null = $derived(this.latest?.seat ?? null)
  view: View | null = $derived(ahead(this.game, this.frame?.view ?? null, this.seat, this.pending))
  /** The question that the player may answer now. */
  ask: AskInfo | null = $derived(this.frame?.last && this.pending.length === 0 ? this.frame.message.ask : null)
  /** What it says. */
  asked: string = $derived(this.ask && this.info ? asked(this.info.game, this.ask.question) : '')
  /** That question, told apart from every other. */
  question: string = $derived(this.ask ? `${this.seat} ${this.ask.question} ${this.ask.legal.join()}` : '')
  legal: Set<string> = $derived(new Set(this.ask?.legal.map(String) ?? []))
  /** How it is answered. */
  asks: Asks = $derived(this.#asks(this.ask))
  /** The places on the board that may be chosen now: seats (C18), piles (M3). */
  targets: Set<string> | null = $derived(
    this.asks.places ? this.legal : this.view && this.seat !== null ? (this.asks.through?.places(this.view, this.seat) ?? null) : null,
  )
  /** What was said here, as far as one wants to hear it. */
  heard = $derived(heard(this.info?.chat ?? []))
  /** Whether this player plays alone against bots. */
  alone: boolean = $derived(
    this.seat !== null && this.info?.phase === 'playing' && this.info.places.every((place) => place.kind !== 'person' || place.seat === this.seat),
  )
  /** Whether the player may ask for a hint here. */
  mayHint: boolean = $derived(Boolean(this.info?.hints && this.seat !== null && this.view))
  hand: string[] = $derived(this.seat === null ? [] : (this.view?.hand?.[this.seat] ?? []))
  /** The card on its way to the trick. */
  played: string | null = $derived(this.#toTrick(this.pending[0] ?? ''))

  #queue: Frame[] = []
  #words = new WeakMap<Told, string>()
  #timer = 0
  #cutTimer = 0
  path: string
  /** Whether it is on this device: one is alone with bots, and nobody else can come. */
  own: boolean
  /** What is told of the table: whoever listens counts as looking. */
  stream: Stream<Message>
  #sending = false
  /** Whether this player has no wish to wait before the next own decision. */
  #hurried = false
  #first = ''
  /** Messages that came before the game did. */
  #early: Message[] = []
  #sat: boolean

  constructor(
    readonly id: string,
    readonly invite: string | null,
  ) {
    this.#sat = sitting.delete(id)
    const query = invite ? `?invite=${encodeURIComponent(invite)}` : ''
    this.path = `/api/tables/${id}/stream${query}`
    this.own = isOwn(this.path)
    this.stream = new Stream<Message>(
      this.path,
      (message) => this.hear(message),
      (online) => (this.online = online),
      (words) => {
        this.missing = words
        this.online = true
      },
    )
  }

  #asks(ask: AskInfo | null): Asks {
    return (ask && this.game?.asks[ask.question]) || BUTTONS
  }

  /** The card that an answer lays to the trick. */
  #toTrick(answer: string): string | null {
    const [question = '', card = null] = answer.split(' ')
    return this.game?.asks[question]?.trick ? card : null
  }

  /** The first message says which game it is; what comes until that is here waits for it. */
  async #await(message: Message): Promise<void> {
    this.#early.push(message)
    if (this.#early.length > 1) return
    try {
      const [game] = await Promise.all([later(() => load(message.table.game)), worded])
      this.game = game
    } catch {
      this.missing = say('page-gone')
      return
    }
    for (const one of this.#early.splice(0)) this.hear(one)
  }

  /** What has happened, in words, as it was first put: who goes later keeps their name in it. */
  words = (told: Told): string => {
    let words = this.#words.get(told)
    if (words === undefined && this.latest) {
      words = happened(told, this.latest.table.game, this.latest.table.places, this.seat)
      this.#words.set(told, words)
    }
    return words ?? ''
  }

  /** A sentence of the house in words. */
  put = (says: Says): string => inWords(says, this.info?.places, this.seat)

  /** Leave: nothing is heard any more. */
  close(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#cutTimer)
    this.stream.close()
  }

  /** Take in a message; its pictures queue behind those that are still to be shown. */
  hear(message: Message): void {
    const game = this.game
    if (!game) return void this.#await(message)
    const known = this.latest
    if (known && message.version < known.version) return
    const back = message.told.some(isUndo)
    if (!known?.view || message.n > known.n) {
      // Without the memory aid older tricks fade (C14).
      this.log = merge(known ? this.log : [], message.told).filter((item) => item.n >= message.oldest)
    }
    if (back) this.#queue = []
    const before = this.#queue.at(-1) ?? this.frame
    const since = this.log
    this.heardAt = performance.now()
    this.latest = message
    // The seat that is kept for who made the table is taken as soon as its commitment is known, once.
    const { kept, phase } = message.table
    if (kept !== null && phase === 'waiting' && !this.#sat) {
      this.#sat = true
      this.sit(kept)
    }
    if (known && sameGame(known, message) && before && (known.view === null) === (message.view === null)) {
      // Someone came, spoke, sat down or stood up: the pictures stay, what is true of the table changes.
      const now = (frame: Frame): Frame => ({ ...frame, message, view: message.view as View | null })
      this.#queue = this.#queue.map((frame) => (frame.last ? now(frame) : frame))
      if (this.#queue.length === 0 && this.frame) this.frame = now(this.frame)
      return
    }
    if (!known?.view && (known || message.n <= message.table.seats)) this.#showCut(game, message)
    if (!this.#stillAsked(message)) this.pending = []
    this.problem = ''
    this.#queue.push(...(back ? frames(game, null, message, since) : frames(game, before, message, since)))
    if (!this.#timer || back) this.#advance()
  }

  /** The game has just begun: show who cut what. It leaves by itself, and nothing waits for it. */
  #showCut(game: Game, message: Message): void {
    const view = message.view as View | null
    if (!view || !message.told.some((told) => told.event.event === 'cut')) return
    this.cut = game.cut?.(view) ?? null
    this.#cutTimer = setTimeout(() => (this.cut = null), CUT_SECONDS * 1000)
  }

  /** Whether what was just answered is still open: all choose at once, and another was faster (C9, F10). */
  #stillAsked(message: Message): boolean {
    const ask = message.ask
    return this.#sending && ask !== null && this.#asks(ask).together === true && this.pending[0] === said(ask, this.#first)
  }

  /** Show the next picture, and decide how long it stays. */
  #advance = (): void => {
    clearTimeout(this.#timer)
    this.#timer = 0
    const next = this.#queue.shift()
    if (!next) return
    const fresh = next.message.n !== this.frame?.message.n
    if (fresh) this.#forget(next)
    this.frame = next
    const crowded = this.#queue.length > 6
    const stay =
      next.hold === 'trick'
        ? settings.trickSeconds * 1000
        : next.hold === 'summary'
          ? Math.max(settings.trickSeconds * 1000, 900 + next.summary.length * 650)
          : 0
    if (next.last && next.message.ask) this.#hurried = false
    if (stay > 0 && !crowded) this.#timer = setTimeout(this.#advance, this.#hurried ? Math.min(stay, HURRIED) : stay)
    else if (this.#queue.length > 0) this.#advance()
    if (fresh) sound(next.message.told)
    if (next.last && next.message.ask) sound([], 'yours')
    if (next.last && (next.message.result?.winners as number[] | undefined)?.includes(this.seat ?? -1)) sound([], 'end')
    if (next.last && next.message.ask) this.#playPlanned(next.message.ask)
    if (next.last) this.#answerForced(next)
  }

  /** What was prepared for a question goes with it; that others have chosen meanwhile changes nothing (C9). */
  #forget(next: Frame): void {
    if (!this.#asks(next.message.ask).several) this.picked = []
    this.armed = null
    this.lookingBack = false
  }

  /** Stop waiting: what comes next is shown, a summary or what is true now. */
  skip = (): void => {
    do this.#advance()
    while (this.#queue.length > 0 && this.frame?.hold !== 'summary')
  }

  /** Whether bots are what is waited for, and nobody else: then they may be hurried up to one's own next decision. */
  mayHurry: boolean = $derived(this.alone && (!this.latest?.ask || this.pending.length > 0))

  /** Wait for nothing, up to one's own next decision: what is shown is done with, and bots answer at once. */
  hurry = (): void => {
    this.skip()
    if (!this.mayHurry || this.#hurried) return
    this.#hurried = true
    if (!this.#sending) void this.#haste()
  }

  /** Ask the bots for haste; what has been answered goes first. */
  async #haste(): Promise<void> {
    try {
      await post(`/api/tables/${this.id}/hurry`, {})
    } catch (error) {
      // Meanwhile the game is over, or somebody has joined it: there is no haste any more.
      if (!(error instanceof Refusal && error.status === 409)) this.#trouble(error)
    }
  }

  get waiting(): boolean {
    return this.#queue.length > 0
  }

  /** What was chosen while others thought is played now if it may be; the suit that was led may have made it vain. */
  #playPlanned(ask: AskInfo): void {
    const card = this.planned
    this.planned = null
    if (!card || !this.#asks(ask).trick || !ask.legal.includes(card)) return
    if (this.#tapped) this.armed = card
    else void this.answer([card])
  }

  /**
   * With the setting on, what leaves no choice is done by itself, on the beat of the table's bots. Other people would learn from
   * that that there was none (R5): before them it takes as long as it happens to. What was taken back is not done again.
   */
  #answerForced({ message: { ask, n, table }, told }: Frame): void {
    if (!settings.autoPlay || ask?.legal.length !== 1 || this.#asks(ask).several || told.some(isUndo)) return
    const beats = this.alone ? 1 : 1.5 + 4 * Math.random()
    setTimeout(() => this.latest?.n === n && void this.answer([String(ask.legal[0])]), BEAT[table.pace] * beats)
  }

  /** Answer the open question; several answers are given together or not at all, the last perhaps to the question that comes `then`. */
  async answer(answers: string[], then: string[] = []): Promise<void> {
    const ask = this.ask
    if (!ask || !this.latest) return
    this.problem = ''
    this.pending = [...answers.map((answer) => said(ask, answer)), ...then]
    this.#first = answers[0] ?? ''
    this.#sending = true
    try {
      await this.#send(this.pending, this.latest.n)
      if (this.#hurried) void this.#haste()
    } catch (error) {
      this.pending = []
      this.#trouble(error)
    } finally {
      this.#sending = false
    }
  }

  /** Send answers. Where all choose at once, another's choice may raise n meanwhile; ours still stands. */
  async #send(answers: string[], n: number): Promise<void> {
    try {
      await post<Done>(`/api/tables/${this.id}/answers`, { n, answers, key: newKey(), spent: this.spent() })
    } catch (error) {
      const current = error instanceof Refusal ? error.current : null
      if (!current || current.n <= n || !this.#stillAsked(current)) throw error
      this.hear(current)
      await this.#send(answers, current.n)
    }
  }

  /** Press a card: play it, pick it, or learn why it may not be played. */
  press(card: string, touch: boolean): void {
    while (this.waiting) this.skip()
    const ask = this.ask
    if (!ask && this.game?.tricks && this.info?.phase === 'playing' && this.pending.length === 0) {
      this.problem = ''
      this.planned = this.planned === card ? null : card
      this.#tapped = touch && settings.confirmTouch
      return
    }
    if (!ask) {
      this.problem = this.pending.length > 0 || this.info?.phase === 'over' ? '' : say('page-not-your-turn')
      return
    }
    if (this.asks.several) return this.#pick(card)
    if (!this.legal.has(card)) {
      this.armed = null
      const why = ask.refused.find((one) => one.cards.includes(card))?.says
      this.problem = why ? this.put(why) : this.asked
      return
    }
    if (touch && settings.confirmTouch && this.armed !== card) {
      this.armed = card
      this.problem = ''
      return
    }
    void this.answer([card])
  }

  /** Choose a seat or a pile. */
  choose = (one: string): void => {
    const { through } = this.asks
    if (this.legal.has(one)) void this.answer([one])
    else if (through && this.targets?.has(one)) void this.answer([through.first], [`${through.then} ${one}`])
    else this.problem = this.ask ? `${this.asked} ${this.game?.closed ? say(this.game.closed) : ''}` : say('page-not-your-turn')
  }

  /** How it stands, in words: what is asked, and of whom. Cards that are passed go to somebody (C9, C23). */
  get stands(): string {
    const { info, frame, seat } = this
    if (!info || !frame) return ''
    const receiver = seat === null || !frame.view ? null : (this.asks.several?.receiver(frame.view, seat) ?? null)
    if (receiver === null) return standing(info, frame.message.view as View | null, frame.message.ask !== null)
    return say('page-pass-choose', { number: this.toPass, name: nameOf(info.places, receiver) })
  }

  /** How many cards are still to be chosen for passing. */
  get toPass(): number {
    if (!this.view || this.seat === null) return 0
    return this.asks.several?.wanted(this.view, this.seat) ?? 0
  }

  #pick(card: string): void {
    this.problem = ''
    if (this.picked.includes(card)) this.picked = this.picked.filter((other) => other !== card)
    else if (this.picked.length < this.toPass) this.picked = [...this.picked, card]
    else this.picked = [...this.picked.slice(1), card]
  }

  /** Send the picked cards, in the order in which the rules name a set (C9). */
  passPicked = (): void => {
    if (this.picked.length === this.toPass) void this.answer(ascending(this.picked))
  }

  /** Anything else that is said to the table: sit, stand, bot, undo, chat. */
  async say(what: string, body: object): Promise<boolean> {
    this.problem = ''
    try {
      await post(`/api/tables/${this.id}/${what}`, body)
      return true
    } catch (error) {
      this.#trouble(error)
      return false
    }
  }

  /** Sit down; the nonce goes into the shuffle, and is drawn here, where the commitment is known already. */
  sit = (seat: number | null): void =>
    void this.say('sit', { seat, invite: this.invite, nonce: newKey(), key: newKey() })

  /** One step back: at will up to the last hidden thing learned; further, others at the table have to agree. */
  get mayUndo(): boolean {
    const message = this.latest
    if (!message || message.undo_step === null) return false
    const others = message.table.places.some((place) => place.kind === 'person' && place.seat !== this.seat)
    return others || (message.undo_to !== null && message.undo_to <= message.undo_step)
  }

  undo = (): void => {
    const message = this.latest
    if (message && message.undo_step !== null)
      void this.say('undo', { n: message.n, to: message.undo_step, key: newKey() })
  }

  #trouble(error: unknown): void {
    if (!(error instanceof Refusal)) throw error
    if (error.current) this.hear(error.current)
    this.problem = error.message
  }
}

/** Whether nothing has happened in the game between two messages: who has a seat is in the log, but moves no card. */
function sameGame(known: Message, message: Message): boolean {
  const seats = message.told.filter((told) => told.n > known.n && /^(seat|timeout)$/.test(told.event.event))
  return message.n - known.n === seats.length
}

/** The log without repetitions: what was told is known by its n and its place there. */
function merge(log: Told[], told: Told[]): Told[] {
  const last = log.at(-1)?.n ?? -1
  return [...log, ...told.filter((item) => item.n > last || log.length === 0)].slice(-LOG)
}
