// One step of a course at a time: the table where it begins, whether answers are those asked for, and what is said to them.
import { chosen, Refused, type Rules, type Stacked } from '../engine'
import type { Done, Message } from '../client/types'
import { Memory, type Entry, type Kept } from '../local/storage'
import { Sitting } from '../local/session'
import { OwnTable } from '../local/localTable'
import type { Course, Laid, Step } from './course'

const NO_CHANCE = '00'.repeat(32)
const QUIET: Refused = new Refused('as-it-is', { text: '' }) // the lesson itself says what is wrong

/** Whether an answer is among those that a pattern names: `play D*`. */
export function fits(pattern: string, answer: string): boolean {
  const [question, ...some] = pattern.split(' ')
  const [asked, given = ''] = answer.split(' ')
  return question === '*' || (question === asked && some.some((one) => (one.endsWith('*') ? given.startsWith(one.slice(0, -1)) : given === one)))
}

/** The answer that a pattern names first. */
const first = (pattern: string): string => pattern.split(' ').slice(0, 2).join(' ')

/** The cards of a table in the order in which they are dealt: where each place's cards come from in a deck, the rules are asked. */
function stacked(rules: Rules, seats: number, { options, cut, cards }: Laid): Stacked {
  const number = (card: string): number => rules.info.cards.indexOf(card)
  const row = rules.blank(seats, chosen(rules.name, rules.info, seats, options))
  const cuts = cut.map(number)
  rules.start(row, cuts)
  const pack = rules.pack(row)
  rules.deal(row, pack)
  const deck = new Array<number>(pack.length)
  const taken = new Set<number>()
  rules.laidOut(row).packets.forEach((packet, k) =>
    packet.forEach((card, at) => {
      const laid = cards[k]?.[at]
      if (laid === undefined) return
      deck[pack.indexOf(number(card))] = number(laid)
      taken.add(number(laid))
    }),
  )
  const rest = pack.filter((card) => !taken.has(card))
  return { cut: cuts, deck: Array.from(deck, (card) => card ?? rest.shift()!) }
}

/** A table of a course, when the cards have been dealt. */
export function laid(rules: Rules, table: Laid, name: string, id: string): OwnTable {
  const { me, options, cut } = table
  const seats = cut.length
  const kept: Kept = {
    id, game: rules.name, version: rules.info.version, seats, options, name, places: cut.map((_, seat) => (seat === me ? 'me' : 'bot:1')), secret: NO_CHANCE,
    nonces: cut.map(() => ''), fork: null, pace: 'steady', hints: false, created: Date.now(), again: null, last: 0, turn: false, over: false,
  }
  return new OwnTable(kept, rules, '', stacked(rules, seats, table))
}

/** What others answer next: what is written for one of them, or the first that is legal; nothing once all that was written is done. */
function next(table: OwnTable, seat: number, script: string[]): string | null {
  const at = script.findIndex((line) => line.startsWith(`${seat} `))
  if (at < 0) return null
  const [line] = script.splice(at, 1)
  const open = table.open(seat)
  return open.find((one) => one === line!.slice(2)) ?? open[0]!
}

const add = (table: OwnTable, seat: number, answer: string): void =>
  table.answers(seat, table.n, [answer]).forEach((line) => table.apply({ n: table.n, line, at: Date.now() }))

/** The learner gives answers, and others theirs in between and afterwards. */
function play(table: OwnTable, mine: string[], script: string[]): void {
  const [own, others] = [[...mine], [...script]]
  while (!table.over) {
    const seat = table.toAct.includes(table.seat) ? table.seat : table.toAct[0]!
    const answer = seat === table.seat ? own.shift() : next(table, seat, others)
    if (!answer) return
    add(table, seat, answer)
  }
}

/** The table where a step begins: each step before it at the same table was done as its file says first. */
export function begun(course: Course, k: number, rules: Rules, name: string, id: string): OwnTable {
  let from = k
  while (!course.steps[from]!.at) from--
  const { table: which, played } = course.steps[from]!.at!
  const table = laid(rules, course.tables[which]!, name, id)
  for (const line of played) add(table, Number(line[0]), line.slice(2))
  for (const step of course.steps.slice(from, k)) play(table, step.do.map(first), step.then ?? [])
  return table
}

/** What is said of a step: how it is asked, that it was done, or why an answer was not the one asked for. The rest of a sentence's id. */
export type Said = { how: 'asks' | 'right' | 'wrong'; id: string }

/** What comes of answers: done, on the way, or the name of what is said against them. */
export type Judged = { how: 'done' | 'on' } | { how: 'wrong'; why: string }

/** Whether answers, after others that were right, do what a step asks. They are legal at this table. */
export function judged(step: Step, before: string[], answers: string[], copy: () => OwnTable): Judged {
  const all = [...before, ...answers]
  const against = (answer: string): Judged => ({ how: 'wrong', why: Object.entries(step.wrong ?? {}).find(([pattern]) => fits(pattern, answer))?.[1] ?? 'wrong' })
  for (const [k, answer] of all.entries()) if (!step.do[k] || !fits(step.do[k]!, answer)) return against(answer)
  if (all.length < step.do.length) return { how: 'on' }
  const table = copy()
  const n = table.n
  play(table, all, step.then ?? [])
  const { told } = table.message(n)
  const came = (wanted: Record<string, unknown>): boolean => told.some(({ event }) => Object.entries(wanted).every(([name, value]) => event[name] === value))
  return (step.brings ?? []).every(came) ? { how: 'done' } : against(all.at(-1)!)
}

/** A course as it is being done. It sits at its table as `Sitting` does at others', and the house of one's own tables asks and tells it so. */
export class Lesson {
  table!: OwnTable
  said!: Said
  #sitting!: Sitting
  #given: string[] = []
  #script: string[] = []
  #done = false
  #heard = new Map<(message: Message) => void, () => void>()
  #tables = 0

  constructor(
    readonly course: Course,
    readonly rules: Rules,
    readonly name: string,
    /** A step has begun at a table of this id, or something else is said. */
    readonly changed: (lesson: Lesson) => void,
    readonly wait: (ms: number) => Promise<void> = (ms) => new Promise((go) => setTimeout(go, ms)),
  ) {}

  k = 0

  get step(): Step {
    return this.course.steps[this.k]!
  }
  get id(): string {
    return this.table.kept.id
  }
  get listened(): boolean {
    return this.#sitting.listened
  }

  /** Begin a step; at the table that one sits at, if that is where it begins. */
  async begin(k: number): Promise<void> {
    const before = this.#done && k === this.k + 1 ? this.table : null
    this.k = k
    const id = `own-${`lesson${++this.#tables}`.padEnd(32, '_')}`
    const table = begun(this.course, k, this.rules, this.name, id)
    this.#given = []
    this.#script.splice(0, Infinity, ...(this.step.then ?? []))
    this.#done = false
    if (!before || !alike(before, table)) await this.#sit(table)
    this.#say({ how: 'asks', id: this.step.name })
    for (const go of this.#waiting.splice(0)) go()
    this.#again()
  }

  async #sit(table: OwnTable): Promise<void> {
    this.table = table
    const store = new Memory()
    await store.make(table.kept, table.lines.map((line, n): Entry => ({ n, line, at: 0 })))
    this.#sitting = new Sitting(table, {
      store,
      think: (_, __, seat) => this.#think(table, seat),
      now: Date.now,
      wait: this.wait,
      pen: (_, changed) => (queueMicrotask(() => changed(true)), { take: async () => {}, drop: () => {} }),
      tell: () => {},
      lost: () => {},
      stuck: () => {},
    })
  }

  /** Others who wait for something to answer. */
  #waiting: (() => void)[] = []

  /** What another answers, once it is written what that is. */
  async #think(table: OwnTable, seat: number): Promise<number> {
    for (;;) {
      const answer = table === this.table ? next(table, seat, this.#script) : null
      if (answer) return table.rules.info.questions.find(({ name }) => answer.startsWith(`${name} `))!.answers.findIndex((one) => answer.endsWith(` ${one}`))
      await new Promise<void>((go) => this.#waiting.push(go))
    }
  }

  #say(said: Said): void {
    this.said = said
    this.changed(this)
  }

  /** Answers are given if they are the ones asked for. */
  async answer(n: number, answers: string[]): Promise<Done> {
    if (this.#done) throw QUIET
    this.table.answers(this.table.seat, n, answers)
    const found = judged(this.step, this.#given, answers, () => begun(this.course, this.k, this.rules, this.name, ''))
    if (found.how === 'wrong') {
      this.#say({ how: 'wrong', id: `${this.step.name}-${found.why}` })
      throw QUIET
    }
    this.#done = found.how === 'done'
    this.#given.push(...answers)
    const done = await this.#sitting.answer(n, answers)
    if (this.#done) this.#say({ how: 'right', id: `${this.step.name}-right` })
    return done
  }

  listen(heard: (message: Message) => void): () => void {
    let told = false
    const tell = (message: Message): void => {
      heard(this.#as(told ? message : { ...message, told: [] })) // what led here is not told
      told = true
    }
    const end = this.#sitting.listen(tell)
    this.#heard.set(tell, end)
    return () => {
      this.#heard.delete(tell)
      end()
    }
  }

  /** Nothing is taken back here; and once a step is done, nothing is asked before the next. */
  #as(message: Message): Message {
    const free = { ...message, undo_to: null, undo_step: null }
    if (!this.#done || !this.table.toAct.includes(this.table.seat)) return free
    return { ...free, ask: null, view: { ...message.view, question: null }, table: { ...message.table, phase: 'over' } }
  }

  #again(): void {
    for (const tell of this.#heard.keys()) tell(this.table.message(this.table.n))
  }

  hurry = (): void => this.#sitting.hurry()
  setPace = (pace: Parameters<Sitting['setPace']>[0]): Promise<void> => this.#sitting.setPace(pace)
  change: Sitting['change'] = (change) => this.#sitting.change(change)
  look = (): Promise<void> => this.#sitting.look()
  undo = (): Promise<Done> => Promise.reject(QUIET)
}

/** Whether two tables are the same to all who sit there. */
const alike = (one: OwnTable, other: OwnTable): boolean => one.whole.length === other.whole.length && one.whole.every((number, k) => number === other.whole[k])
