// The rules of one game, compiled to a Wasm module.
import { WasmModule } from './wasmModule'
import { eventData, bitIndexes, rowData, valueData, type Data } from './rowDecoding'
import type { FetchFile, GameManifest, Manifest } from './manifest'

export type Row = BigInt64Array
export type Log = BigInt64Array[]

/** The result of a finished game, with the values of its ending. */
export interface Result extends Record<string, number | string | number[]> {
  scores: number[]
  winners: number[]
  ended: string
}

const [SEATS, TO_ACT, QUESTION, DEALS, OVER] = [0, 1, 2, 3, 4] // the first fields of every row
const MAX_CARDS = 60

export class RulesModule {
  private readonly row: number
  private readonly viewRow: number
  private readonly list: number
  private readonly log: number
  private readonly packets: number
  private readonly out: number

  private constructor(
    readonly name: string,
    readonly info: GameManifest,
    private readonly shared: Manifest,
    private readonly module: WasmModule,
  ) {
    this.row = module.allocate(info.row)
    this.viewRow = module.allocate(info.row)
    this.list = module.allocate(MAX_CARDS)
    this.log = module.allocate(shared.log.rows * shared.log.width)
    this.packets = module.allocate(shared.laid_out)
    this.out = module.allocate(4 * shared.seats)
  }

  static async open(name: string, manifest: Manifest, fetch: FetchFile): Promise<RulesModule> {
    const info = manifest.games[name]!
    return new RulesModule(name, info, manifest, await WasmModule.open(info.play, fetch))
  }

  seats = (row: Row): number => Number(row[SEATS])
  deals = (row: Row): number => Number(row[DEALS])
  over = (row: Row): boolean => row[OVER] !== 0n
  toAct = (row: Row): number[] => bitIndexes(row[TO_ACT]!)
  /** Return whether any seat is to act. */
  isAnyoneToAct = (row: Row): boolean => row[TO_ACT] !== 0n
  wantsCards = (row: Row): boolean => !this.isAnyoneToAct(row) && !this.over(row)
  flag = (row: Row, name: string): boolean => row[this.info.fields.find((field) => field.name === name)!.at] === 1n
  question = (row: Row): number => Number(row[QUESTION])

  /** Return a row with only seats and options. Words are stored as their index, booleans as 0 or 1. */
  blank(seats: number, options: Record<string, boolean | number | string>): Row {
    const row = new BigInt64Array(this.info.row)
    row[SEATS] = BigInt(seats)
    for (const { name, values } of this.info.options) {
      const value = options[name]!
      row[this.info.fields.find((field) => field.name === name)!.at] = BigInt(typeof value === 'string' ? values.indexOf(value) : value)
    }
    return row
  }

  start(row: Row, cut: number[]): void {
    this.writeNumbers(this.list, cut)
    this.change(row, 'start', this.list)
  }

  pack(row: Row): number[] {
    this.call(row, 'pack', this.out)
    return bitIndexes(this.output(1)[0]!)
  }

  deal(row: Row, deck: number[]): Log {
    this.writeNumbers(this.list, deck)
    return this.callForEvents(row, 'deal', this.list)
  }

  legal(row: Row, seat: number): number[] {
    this.call(row, 'legal', BigInt(seat), this.out)
    return bitIndexes(this.output(1)[0]!)
  }

  step(row: Row, seat: number, answer: number): Log {
    return this.callForEvents(row, 'step', BigInt(seat), BigInt(answer))
  }

  /** Return why an answer is not legal, as a message. */
  whyNot(row: Row, seat: number, answer: number): [id: string, values: Record<string, Data>] {
    this.call(row, 'why_not', BigInt(seat), BigInt(answer), this.out)
    const [reason, number] = this.output(2)
    const { id, rule, value } = this.info.refusals[Number(reason)]!
    return [id, value ? { [value.name]: valueData(value, number!, this.info.cards), rule } : { rule }]
  }

  /** Return the view of a seat (−1: a spectator); with `memory`, including everything that a perfect memory knows, as for bots. */
  view(row: Row, seat: number, memory: boolean): Row {
    this.call(row, 'view', this.row, BigInt(seat), memory ? 1n : 0n, this.viewRow)
    return this.module.numbers(this.viewRow, this.info.row).slice()
  }

  data = (row: Row): Record<string, Data> => rowData(row, this.standings(row).teams, this.info, this.shared.seats)
  eventsFor = (log: Log, seat: number | null): Record<string, Data>[] => log.map((event) => eventData(event, seat, this.info))

  standings(row: Row): { scores: number[]; places: number[]; teams: number[] } {
    const maxSeats = this.shared.seats
    this.call(row, 'standing', this.out)
    const numbers = [...this.output(3 * maxSeats)].map(Number)
    const part = (k: number): number[] => numbers.slice(k * maxSeats, k * maxSeats + this.seats(row))
    return { scores: part(0), places: part(1), teams: part(2) }
  }

  result(row: Row): Result {
    const { scores, places } = this.standings(row)
    this.call(row, 'ending', this.out)
    const [which, ...values] = [...this.output(1 + this.shared.seats)].map(Number)
    const { name, values: names } = this.info.endings[which!]!
    const named = Object.fromEntries(names.map((each, k) => [each, values[k]!]))
    return { scores, winners: places.flatMap((place, seat) => (place === 0 ? [seat] : [])), ended: name, ...named }
  }

  /** Return the facts that decided the game, as a message, and the board positions it names; `null` for most endings. */
  facts(row: Row): { says: [id: string, values: Record<string, number>]; spots: number[] } | null {
    if (!this.info.facts.length) return null
    this.call(row, 'facts', this.out)
    const [which, places, ...values] = this.output(2 + this.shared.seats)
    if (which === -1n) return null
    const { id, values: names } = this.info.facts[Number(which)]!
    return { says: [id, Object.fromEntries(names.map((name, k) => [name, Number(values[k]!)]))], spots: bitIndexes(places!) }
  }

  /** Return the dealer or first player after a deal, and the cards of each seat or pile. */
  laidOut(row: Row): { begins: number; packets: string[][] } {
    this.call(row, 'laid_out', this.packets, this.out)
    const [begins, size] = [...this.output(2)].map(Number)
    const packets: string[][] = [[]]
    for (const card of this.module.numbers(this.packets, size!)) {
      if (card < 0n) packets.push([])
      else packets.at(-1)!.push(this.info.cards[Number(card)]!)
    }
    return { begins: begins!, packets: packets.slice(0, -1) }
  }

  private writeNumbers(at: number, numbers: number[]): void {
    this.module.numbers(at, numbers.length).set(numbers.map(BigInt))
  }

  private output = (numbers: number): BigInt64Array => this.module.numbers(this.out, numbers)

  private call(row: Row, name: string, ...values: (number | bigint)[]): void {
    this.module.numbers(this.row, this.info.row).set(row)
    this.module.call(name, this.row, ...values)
  }

  private change(row: Row, name: string, ...values: (number | bigint)[]): void {
    this.call(row, name, ...values)
    row.set(this.module.numbers(this.row, this.info.row))
  }

  private callForEvents(row: Row, name: string, ...values: (number | bigint)[]): Log {
    const { rows, width } = this.shared.log
    this.module.numbers(this.log, 1)[0] = 0n
    this.change(row, name, ...values, this.log)
    const log = this.module.numbers(this.log, rows * width)
    return Array.from({ length: Number(log[0]) }, (_, k) => log.slice((k + 1) * width, (k + 2) * width))
  }
}
