// The state of one table: the latest update, the frame on screen, and planned answers.
import { visibleMessages } from './mutedSpeakers.svelte'
import { loadGame } from '../games'
import type { CombinedAnswer, QuestionUi, GameUi } from '../games/gameUi'
import { ApiError, EventStream, newIdempotencyKey, post, tablesToJoin } from '../client/api'
import { isLocal } from '../client/localTables'
import { ascending, cardSymbols, isCard } from '../components/cards'
import { questionText, eventText, waitingText } from '../components/eventText'
import { lazy } from '../client/lazyLoad'
import { nameOf, type View } from '../components/boardScene'
import { viewAfter, framesOf, isUndo, withoutSummary, type UpdateFrame } from './updateFrames'
import { settings } from '../components/settings.svelte'
import { playSounds } from '../components/sound'
import type { CommittedResponse, EventInfo, MessageRef, OpenQuestionInfo, AnswerPlanResponse, TableInfo, TableUpdate } from '../client/types'
import { textOf, t, loaded } from '../client/i18n.svelte'

const MAX_LOG_EVENTS = 400
const SIDE_EVENTS = /^(seat|timeout)$/ // events outside the game
const UNTIL_TAP_MS = 1e9
const FAST_FORWARD_MS = 350 // duration of a frame while fast-forwarding
const BOT_DELAY_MS = { quick: 400, steady: 800, calm: 1800 } // bot delays, as in `bots.py`
const READ_REPLY_MS = 3000 // time to read about an attack that cannot be stopped
const BUTTONS: QuestionUi = {}

const answerEntry = (ask: OpenQuestionInfo, answer: string): string => `${ask.question} ${answer}`

export class TableState {
  /** The game's client, once loaded. */
  game = $state.raw<GameUi | null>(null)
  /** The latest update. */
  latest = $state.raw<TableUpdate | null>(null)
  /** The frame on screen, which may lag behind while a trick is shown. */
  frame = $state.raw<UpdateFrame | null>(null)
  #events = $state.raw<EventInfo[]>([])
  /** The events up to the frame on screen. */
  log = $derived(this.#events.filter(({ n }) => n <= (this.frame?.until ?? this.frame?.message.n ?? -1)))
  /** The news begins after this event: earlier events came before the lesson's step. */
  newsAfter = -1
  online = $state(true)
  /** An error message; cleared by the next answer. */
  error = $state('')
  /** Answers sent but not yet confirmed. */
  pending = $state.raw<string[]>([])
  /** The answer that the page is about to give, because there is no other. Until then, nothing on the table takes a press that could meet the next question instead. */
  automatic = $state<string | null>(null)
  /** Cards selected for passing. */
  pickedCards = $state.raw<string[]>([])
  /** The card raised by a first tap, if taps need confirmation. */
  raisedCard = $state<string | null>(null)
  /** A card chosen while others think. It is played on your turn if it is legal then. */
  plannedCard = $state<string | null>(null)
  /** The planned answers on the server, in games with days per move. */
  plan = $state.raw<AnswerPlanResponse | null>(null)
  /** Plan a pressed card, or cancel it; set by `PlanPanel.svelte`. */
  planCard: ((card: string) => void) | null = null
  /** True if `plannedCard` was chosen by a first tap, to be confirmed by a second one. */
  #planNeedsTap = false
  /** True while the last trick is shown. */
  showsLastTrick = $state(false)
  unavailable = $state('')
  /** The time at which the latest update arrived (`performance.now()`), and the milliseconds since the open question appeared. */
  updatedAt = 0
  thinkingTime = (): number | undefined => undefined

  info: TableInfo | null = $derived(this.latest?.table ?? null)
  seat: number | null = $derived(this.latest?.seat ?? null)
  view: View | null = $derived(viewAfter(this.game, this.frame?.view ?? null, this.seat, this.pending))
  /** The question that the player may answer now. */
  ask: OpenQuestionInfo | null = $derived(this.frame?.last && this.pending.length === 0 ? this.frame.message.open_question : null)
  /** A unique key of that question. */
  questionKey: string = $derived(this.ask ? `${this.seat} ${this.ask.question} ${this.ask.legal.join()}` : '')
  legal: Set<string> = $derived(new Set(this.ask?.legal.map(String) ?? []))
  /** The way to answer the question. */
  questionUi: QuestionUi = $derived(this.#questionUi(this.ask))
  /** Places that answer this question and the next together. */
  #shortcutPlaces: Set<string> | null = $derived(this.automatic === null && this.view && this.seat !== null ? (this.questionUi.through?.places(this.view, this.seat) ?? null) : null)
  /** The shortcut past the open question, if available. */
  shortcut: CombinedAnswer | null = $derived(this.#shortcutPlaces?.size ? this.questionUi.through! : null)
  /** The prompt of the open question: why it is asked, and what the choices do. */
  questionText: string = $derived.by(() => {
    const { open_question: ask, view, table: info } = this.frame?.message ?? {}
    const me = this.seat
    if (!ask || !view || !info || me === null) return ''
    const now = { view: view as View, me, hand: this.hand, legal: ask.legal.map(String), card: this.raisedCard, name: (seat: number) => nameOf(info.seat_holders, seat) }
    return this.#questionUi(ask).asks?.(now) ?? questionText(info.game, ask.question)
  })
  /** The places on the board that may be chosen: seats (C18), piles (M3). */
  targets: Set<string> | null = $derived(this.questionUi.places && this.automatic === null ? this.legal : this.#shortcutPlaces)
  /** The cards that may be played; `null` if the open question is not about cards. */
  playableCards: Set<string> | null = $derived.by(() => {
    const { cards, places, several } = this.questionUi
    if (this.automatic !== null) return null
    if (several) return new Set(this.hand) // in any order, although the rules name them in a fixed one (C9)
    if (this.shortcut) return this.shortcut.cards(this.view!, this.seat!)
    if (this.questionUi.cardFirst) return this.questionUi.cardFirst.cards(this.view!, this.seat!)
    return cards || places ? this.legal : null
  })
  /** The visible chat messages. */
  chat = $derived(visibleMessages(this.info?.chat ?? []))
  /** True if all other players are bots. */
  isAgainstBots: boolean = $derived(this.seat !== null && Boolean(this.info?.seat_holders.every((place) => place.kind !== 'person' || place.seat === this.seat)))
  /** True if this player is alone with bots in a running game. */
  isAlone: boolean = $derived(this.isAgainstBots && this.isPlaying)
  /** True if the coach is on in this game. */
  isCoached: boolean = $derived(
    this.seat !== null && Boolean(this.game?.coach) && (settings.coach === 'always' || (settings.coach === 'first' && !settings.coached.includes(this.info?.game ?? ''))),
  )
  /** True if the summary of a deal stays until the player continues, even that of the last deal: newcomers and players alone with bots read at their own pace. */
  keepsSummary: boolean = $derived(this.isCoached || (this.isAgainstBots && settings.trickSeconds > 0))
  /** True if hints are available to the player. */
  canHint: boolean = $derived(Boolean(this.info?.hints && this.seat !== null && this.view))
  /** True if answers can be planned: in games with days per move, while others think. */
  canPlan: boolean = $derived(
    Boolean(this.seat !== null && this.isPlaying && this.info?.time_control?.days_per_move && !this.latest?.open_question),
  )
  /** Cards raised in the hand while others think. */
  plannedCards: string[] = $derived(
    this.canPlan ? (this.plan?.answers.map((one) => one.answer.split(' ')[1]!) ?? []) : this.plannedCard ? [this.plannedCard] : [],
  )
  hand: string[] = $derived(this.seat === null ? [] : (this.view?.hand?.[this.seat] ?? []))
  /** The card on its way to the trick. */
  playedCard: string | null = $derived(this.#trickCard(this.pending[0] ?? ''))

  #isClosed = false
  #queue: UpdateFrame[] = []
  #eventTexts = new WeakMap<EventInfo, string>()
  #timer = 0
  /** The timer of the automatic answer. */
  #answerTimer = 0
  path: string
  /** True if the table is on this device, where nobody else can join. */
  isLocal: boolean
  /** The stream of updates, which is open as long as the table is watched. */
  stream: EventStream<TableUpdate>
  #sending = false
  /** True while the player is skipping to their next decision. */
  #fastForwarding = false
  #firstAnswer = ''
  /** Updates that arrived before the game's client was loaded. */
  #earlyMessages: TableUpdate[] = []
  #hasSat: boolean

  constructor(
    readonly id: string,
    readonly invite: string | null,
    /** In a lesson the learner makes every move, and reads the last trick of a step until they continue. */
    readonly isLesson = false,
  ) {
    this.#hasSat = tablesToJoin.delete(id)
    const query = invite ? `?invite=${encodeURIComponent(invite)}` : ''
    this.path = `/api/tables/${id}/stream${query}`
    this.isLocal = isLocal(this.path)
    this.stream = new EventStream<TableUpdate>(
      this.path,
      (message) => this.onUpdate(message),
      (online) => (this.online = online),
      (words) => {
        this.unavailable = words
        this.online = true
      },
    )
  }

  #questionUi(ask: OpenQuestionInfo | null): QuestionUi {
    return (ask && this.game?.questions[ask.question]) || BUTTONS
  }

  /** Return the card that an answer plays to the trick. */
  #trickCard(answer: string): string | null {
    const [question = '', card = null] = answer.split(' ')
    return this.game?.questions[question]?.trick ? card : null
  }

  /** Load the game named by the first update. Later updates wait for it. */
  async #loadGame(message: TableUpdate): Promise<void> {
    this.#earlyMessages.push(message)
    if (this.#earlyMessages.length > 1) return
    try {
      const [game] = await Promise.all([lazy(() => loadGame(message.table.game)), loaded])
      this.game = game
    } catch {
      this.unavailable = t('page-gone')
      return
    }
    for (const one of this.#earlyMessages.splice(0)) this.onUpdate(one)
  }

  /** Return an event as text. Texts are stored, so that people who leave keep their names in them. */
  eventText = (told: EventInfo): string => {
    let text = this.#eventTexts.get(told)
    if (text === undefined && this.latest) {
      text = this.#textOfEvent(told, false)
      text += this.game?.remark?.(told, this.#events) ?? ''
      this.#eventTexts.set(told, text)
    }
    return text ?? ''
  }

  /** Return the last trick of a deal as text, for the summary. */
  lastTrickText = (told: EventInfo): string => this.#textOfEvent(told, true)

  #textOfEvent(told: EventInfo, isLast: boolean): string {
    const { table, view } = this.latest!
    const { seat } = told.event
    const who = seat === this.seat ? 'you' : nameOf(table.seat_holders, seat)
    const own = view && this.game?.eventText?.(told.event, view as View, who, isLast)
    return own || eventText(told, table.game, table.seat_holders, this.seat)
  }

  /** Return a message of the server as text. */
  textOf = (says: MessageRef): string => textOf(says, this.info?.seat_holders, this.seat)

  /** Close the stream and stop all timers. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#answerTimer)
    this.stream.close()
  }

  /** Apply an update. Its frames queue behind those still to be shown. A reply that arrives after the table was left changes nothing. */
  onUpdate(message: TableUpdate): void {
    if (this.#isClosed) return
    const game = this.game
    if (!game) return void this.#loadGame(message)
    const known = this.latest
    if (known && message.version < known.version) return
    const isUndone = message.events.some(isUndo)
    if (!known && this.isLesson) this.newsAfter = message.n
    if (!known?.view || message.n > known.n) {
      // Without the memory aid, older tricks are hidden (C14).
      this.#events = mergeLog(known ? this.#events : [], message.events).filter((item) => item.n >= message.oldest_visible)
    }
    if (isUndone) this.#queue = []
    const before = this.#queue.at(-1) ?? this.frame
    const since = this.#events
    this.updatedAt = performance.now()
    this.latest = message
    // The host takes the reserved seat once, when the commitment is known.
    const { reserved_seat: kept, phase } = message.table
    if (kept !== null && phase === 'waiting' && !this.#hasSat) {
      this.#hasSat = true
      this.sit(kept)
    }
    if (known && isGameUnchanged(known, message) && before && (known.view === null) === (message.view === null)) {
      // Only presence, chat or seats have changed, so the frames stay, with the new table data.
      const now = (frame: UpdateFrame): UpdateFrame => ({ ...frame, message, view: message.view as View | null })
      this.#queue = this.#queue.map((frame) => (frame.last ? now(frame) : frame))
      if (this.#queue.length === 0 && this.frame) this.frame = now(this.frame)
      if (this.isLesson) this.skip() // the next step has begun
      return
    }
    if (!this.#isQuestionOpen(message)) this.pending = []
    this.error = ''
    const frames = framesOf(game, isUndone ? null : before, message, since)
    this.#queue.push(...(this.isLesson && phase === 'over' ? withoutSummary(frames) : frames))
    if (!this.#timer || isUndone) this.#advance()
  }

  /** Return whether the question just answered is still open. In simultaneous questions another player may be faster (C9, F10). */
  #isQuestionOpen(message: TableUpdate): boolean {
    const ask = message.open_question
    return this.#sending && ask !== null && this.#questionUi(ask).simultaneous === true && this.pending[0] === answerEntry(ask, this.#firstAnswer)
  }

  /** Show the next frame, and determine how long it stays. */
  #advance = (): void => {
    clearTimeout(this.#timer)
    this.#timer = 0
    const next = this.#queue.shift()
    if (!next) return
    const fresh = next.message.n !== this.frame?.message.n
    if (fresh) this.#clearPlans(next)
    this.automatic = null
    this.frame = next
    const crowded = this.#queue.length > 6
    const endsStep = this.isLesson && next.message.table.phase === 'over'
    const stay =
      next.hold === 'none'
        ? 0
        : endsStep || (next.hold === 'summary' && this.keepsSummary)
          ? UNTIL_TAP_MS
          : next.hold === 'trick'
            ? settings.trickSeconds * 1000
            : Math.max(settings.trickSeconds * 1000, 900 + next.summary.length * 650)
    const ask = next.last && next.message.open_question
    if (ask) this.#fastForwarding = false
    if (stay > 0 && !crowded) this.#timer = setTimeout(this.#advance, this.#fastForwarding && stay < UNTIL_TAP_MS ? Math.min(stay, FAST_FORWARD_MS) : stay)
    else if (this.#queue.length > 0) this.#advance()
    if (fresh) playSounds(next.message.events)
    if (ask) {
      playSounds([], 'yours')
      this.#playPremove(ask)
    }
    if (next.last && (next.message.result?.winners as number[] | undefined)?.includes(this.seat ?? -1)) playSounds([], 'end')
    if (next.last) this.#answerOnlyChoice(next)
  }

  /** Drop what was prepared for a question that is no longer open. Choices of other players change nothing (C9). */
  #clearPlans(next: UpdateFrame): void {
    if (!this.#questionUi(next.message.open_question).several) this.pickedCards = []
    this.raisedCard = null
    this.showsLastTrick = false
  }

  /** Skip the pause: show the next frame, a summary or the current state. */
  skip = (): void => {
    do this.#advance()
    while (this.#queue.length > 0 && this.frame?.hold !== 'summary')
  }

  /** True if only bots are to act, or there is only one answer, so that the player may skip to their next decision. */
  canFastForward: boolean = $derived(this.isAlone && (!this.latest?.open_question || this.pending.length > 0 || this.automatic !== null))

  /** Skip to the player's next decision: drop waiting frames, and let bots answer without delay. */
  fastForward = (): void => {
    this.skip()
    if (!this.canFastForward || this.#fastForwarding) return
    this.#fastForwarding = true
    if (this.automatic !== null) void this.answer([this.automatic])
    else if (!this.#sending) void this.#requestFastForward()
  }

  /** Request fast-forward, once no answer is pending. */
  async #requestFastForward(): Promise<void> {
    try {
      await post(`/api/tables/${this.id}/fast-forward`, {})
    } catch (error) {
      // 409 means that the game is over or someone has joined in the meantime.
      if (!(error instanceof ApiError && error.status === 409)) this.#reportError(error)
    }
  }

  /** True if the game is running and can be continued. */
  get isPlaying(): boolean {
    return this.info?.phase === 'playing' && !this.info.match?.closed
  }

  get hasQueuedFrames(): boolean {
    return this.#queue.length > 0
  }

  /** Play the card chosen in advance if it is legal, because the suit led may have made it illegal. */
  #playPremove(ask: OpenQuestionInfo): void {
    const card = this.plannedCard
    this.plannedCard = null
    if (!card || !this.#questionUi(ask).trick || !ask.legal.includes(card)) return
    if (this.#planNeedsTap) this.raisedCard = card
    else void this.answer([card])
  }

  /**
   * Make a forced move, or the only one with an effect, unless the setting is off. Against bots it takes one bot delay, or longer if there is something
   * to read first. With other people the delay is random, because a fixed one would reveal that there was no choice
   * (R5). In games with days per move the server makes the move hours later (`PlanPanel.svelte`). Moves that were taken
   * back are not repeated.
   */
  #answerOnlyChoice({ message: { open_question: ask, n, table }, view, events: told }: UpdateFrame): void {
    const { several, isReply, isStep, pointless } = this.#questionUi(ask)
    const [only, ...others] = ask?.legal.map(String).filter((one) => one !== pointless?.(view!, this.seat!)) ?? []
    if (this.isLesson || this.pending.length || settings.autoPlay === 'never' || !ask || !only || others.length || several || told.some(isUndo)) return
    if (settings.autoPlay === 'steps' && !isStep && isCard(only)) return
    if (table.time_control?.days_per_move && !this.isAlone) return
    const beats = this.isAlone ? 1 : 1.5 + 4 * Math.random()
    this.automatic = only
    clearTimeout(this.#answerTimer)
    this.#answerTimer = setTimeout(() => this.automatic !== null && this.latest?.n === n && void this.answer([only]), (isReply ? READ_REPLY_MS : BOT_DELAY_MS[table.bot_speed]) * beats)
  }

  /** Answer the open question. Several answers are given all or none; the last one may answer the next question, `then`. */
  async answer(answers: string[], then: string[] = []): Promise<void> {
    const ask = this.ask
    if (!ask || !this.latest) return
    this.error = ''
    this.automatic = null
    this.pending = [...answers.map((answer) => answerEntry(ask, answer)), ...then]
    this.#firstAnswer = answers[0] ?? ''
    this.#sending = true
    try {
      await this.#send(this.pending, this.latest.n)
      if (this.#fastForwarding) void this.#requestFastForward()
    } catch (error) {
      this.pending = []
      this.#reportError(error)
    } finally {
      this.#sending = false
    }
  }

  /** Send answers. In simultaneous questions another player's answer may increase n in the meantime; ours is still valid, so retry. */
  async #send(answers: string[], n: number): Promise<void> {
    try {
      await post<CommittedResponse>(`/api/tables/${this.id}/answers`, { n, answers, idempotency_key: newIdempotencyKey(), thinking_ms: this.thinkingTime() })
    } catch (error) {
      const current = error instanceof ApiError ? error.current : null
      if (!current || current.n <= n || !this.#isQuestionOpen(current)) throw error
      this.onUpdate(current)
      await this.#send(answers, current.n)
    }
  }

  /** Press a card: play it, select it, or show why it is not legal. */
  press(card: string, touch: boolean): void {
    while (this.hasQueuedFrames) this.skip()
    const ask = this.ask
    if (!ask && this.game?.tricks && this.isPlaying && this.pending.length === 0) {
      this.error = ''
      if (this.canPlan) return this.planCard?.(card)
      this.plannedCard = this.plannedCard === card ? null : card
      this.#planNeedsTap = touch && settings.confirmTouch
      return
    }
    if (!ask) {
      this.error = this.pending.length > 0 || !this.isPlaying ? '' : t('page-not-your-turn')
      return
    }
    if (this.automatic !== null) return this.fastForward()
    if (this.questionUi.several) return this.#selectForPass(card)
    if (!this.playableCards?.has(card)) {
      this.raisedCard = null
      const reason = ask.illegal.find((one) => one.cards.includes(card))?.text
      this.error = reason ? this.textOf(reason) : this.#unavailableText()
      return
    }
    if (this.questionUi.cardFirst) {
      this.raisedCard = this.raisedCard === card ? null : card
      this.error = ''
      const places = [...this.legal].filter((one) => /^\d+$/.test(one))
      if (this.raisedCard && places.length === 1) this.give(places[0]!)
      return
    }
    if (touch && settings.confirmTouch && this.raisedCard !== card) {
      this.raisedCard = card
      this.error = ''
      return
    }
    this.give(card)
  }

  /** Choose a seat or a pile. */
  choose = (one: string): void => {
    if (this.automatic !== null) this.fastForward()
    else if (this.targets?.has(one)) this.give(one)
    else this.error = this.ask ? this.#unavailableText() : t('page-not-your-turn')
  }

  /** Answer the open question, or the question to which the shortcut leads. */
  give = (one: string): void => {
    const { shortcut, raisedCard } = this
    const { cardFirst } = this.questionUi
    if (cardFirst && raisedCard && /^\d+$/.test(one)) void this.answer([one], [`${cardFirst.then} ${raisedCard}`])
    else if (this.legal.has(one) || !shortcut) void this.answer([one])
    else void this.answer([shortcut.first], [`${shortcut.then} ${one}`])
  }

  /** Return what the player may do instead. */
  #unavailableText(): string {
    const places = this.targets && this.game?.unavailable
    return places ? `${this.questionText} ${t(places)}` : this.questionText
  }

  /** The open question, or the players to act. */
  get statusText(): string {
    const question = this.questionText
    if (question) return this.#questionUi(this.frame!.message.open_question).isReply || this.automatic !== null ? question : t('page-asked-you', { question })
    return this.info && this.frame ? waitingText(this.info, this.frame.message.view as View | null) : ''
  }

  /** Return the label of an answer to the open question, or to the question to which the shortcut leads. */
  labelOf(answer: string): string {
    const id = this.game?.answers[`${this.legal.has(answer) ? this.ask?.question : this.shortcut?.then} ${answer}`]
    return id ? t(id) : cardSymbols(answer)
  }

  /** The automatic answer that is about to be given; empty if there is none. */
  get automaticText(): string {
    return this.automatic === null || !this.ask ? '' : t('page-automatic', { answer: this.labelOf(this.automatic) })
  }

  /** The number of cards still to select for passing. */
  get cardsToPass(): number {
    if (!this.view || this.seat === null) return 0
    return this.questionUi.several?.missing(this.view, this.seat) ?? 0
  }

  #selectForPass(card: string): void {
    this.error = ''
    if (this.pickedCards.includes(card)) this.pickedCards = this.pickedCards.filter((other) => other !== card)
    else if (this.pickedCards.length < this.cardsToPass) this.pickedCards = [...this.pickedCards, card]
    else this.pickedCards = [...this.pickedCards.slice(1), card]
  }

  /** Send the selected cards, in the order in which the rules name a set (C9). */
  passPicked = (): void => {
    if (this.pickedCards.length === this.cardsToPass) void this.answer(ascending(this.pickedCards))
  }

  /** Post another action to the table: sit, stand, bot, undo, chat. */
  async act(what: string, body: object): Promise<boolean> {
    this.error = ''
    try {
      await post(`/api/tables/${this.id}/${what}`, body)
      return true
    } catch (error) {
      this.#reportError(error)
      return false
    }
  }

  /** Sit down. The nonce for the shuffle is drawn here, after the server has committed to its secret. */
  sit = (seat: number | null): void =>
    void this.act('sit', { seat, invite: this.invite, nonce: newIdempotencyKey(), idempotency_key: newIdempotencyKey() })

  /** True if a step can be undone: freely back to the last hidden information learned; beyond that, others have to agree. */
  get canUndo(): boolean {
    const message = this.latest
    if (!message || message.undo_last === null) return false
    const others = message.table.seat_holders.some((place) => place.kind === 'person' && place.seat !== this.seat)
    return others || (message.undo_min !== null && message.undo_min <= message.undo_last)
  }

  undo = (): void => {
    const message = this.latest
    if (message && message.undo_last !== null)
      void this.act('undo', { n: message.n, to: message.undo_last, idempotency_key: newIdempotencyKey() })
  }

  #reportError(error: unknown): void {
    if (!(error instanceof ApiError)) throw error
    if (error.current) this.onUpdate(error.current)
    this.error = error.message
  }
}

/** Return whether two updates differ only in entries outside the game, such as a seat change. */
function isGameUnchanged(known: TableUpdate, message: TableUpdate): boolean {
  const seats = message.events.filter((told) => told.n > known.n && SIDE_EVENTS.test(told.event.event))
  return message.n - known.n === seats.length
}

/** Append new events. An undo removes the game events that it takes back; seat changes and timeouts stay. */
function mergeLog(log: EventInfo[], told: EventInfo[]): EventInfo[] {
  const last = log.at(-1)?.n ?? -1
  let merged = [...log]
  for (const item of told.filter(({ n }) => n > last || log.length === 0)) {
    if (isUndo(item)) merged = merged.filter(({ n, event }) => n <= (item.event.to as number) || event.event === 'undo' || SIDE_EVENTS.test(event.event))
    merged.push(item)
  }
  return merged.slice(-MAX_LOG_EVENTS)
}
