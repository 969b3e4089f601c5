// Bot answers and hints from compiled code, given a view, a level and 64 random bits. A search takes time, so it runs in a
// worker.
import { seedBits, viewSeed } from './rng'
import { WasmKernel, meanAndError, openKernel, sum, type OpenKernel } from './wasmKernel'
import type { FetchFile, GameManifest } from './manifest'
import { AGAINST, CONTRAST, FOR, type Reasons } from './reasons'
import type { Row } from './rules'
import { CLEAR_LEAD, isContradicted, isGeneral, reasonBeyondDirect, reasonsForBest, reasonsForSet, UNEXPLAINED, whyNoSuitGoes, type EvaluatedChoice, type HintData, type MessageText } from './hintText'

const MAX_EVALUATED: Record<HintData['unit'], number> = { points: 16, '%': 8 } // a hint evaluates at most this many answers

/** The outcome of a search: candidates, their values and numbers of worlds, the index of the best, and the answer. */
export interface SearchDecision {
  candidates: bigint[]
  worth: number[]
  tried: number[]
  best: number
  answer: number
}

/** Candidates evaluated in the same worlds: the value in each world, with and without the bonus for winning. */
interface WorldSamples {
  worth: number[][]
  points: number[][]
  counts: Float64Array[]
}

export class SearchEngine extends WasmKernel {
  private readonly candidates: number
  private readonly worths: number
  private readonly tried: number

  private constructor(opened: OpenKernel) {
    super(opened)
    const maxCandidates = this.info.thinking!.candidates
    this.candidates = this.module.allocate(maxCandidates)
    this.worths = this.module.allocate(maxCandidates)
    this.tried = this.module.allocate(maxCandidates)
  }

  static open = async (info: GameManifest, fetch: FetchFile): Promise<SearchEngine> => new SearchEngine(await openKernel(info, 'thinking', fetch))

  /** Return the answer of a bot level to the open question. */
  search(view: Row, seat: number, level: string, bits: bigint): SearchDecision {
    return this.decide(view, seat, this.info.thinking!.efforts[level]!, bits)
  }

  /** Return the rule-of-thumb answer. */
  choose(view: Row, seat: number): number {
    this.call(view, 'choose', BigInt(seat), this.out)
    return Number(this.module.numbers(this.out, 1)[0])
  }

  /** Return the best answers to the open question, equal to the server's for the same view and seed (by default `viewSeed`), with reasons if their module is given. */
  hint(view: Row, seat: number, seed: bigint = viewSeed(view), why: Reasons | null = null): HintData {
    const { unit, hints } = this.info.thinking!
    const question = this.info.questions[Number(view[2])]!.name
    const decision = this.decide(view, seat, hints.params, seedBits(seed))
    const named = (candidate: bigint): (number | string)[] => this.answerNames(view, seat, candidate)
    if (decision.candidates.length === 1) {
      const only = { answers: named(decision.candidates[0]!), gain: 0, gain_error: 0, behind: 0, behind_error: 0, tied: false, because: [] }
      return { question, unit, choices: [only], worlds: 0 }
    }
    const places = decision.candidates.map((_, k) => k)
    places.sort((a, b) => Number(a !== decision.best) - Number(b !== decision.best) || decision.tried[b]! - decision.tried[a]! || decision.worth[b]! - decision.worth[a]!)
    const weighed = places.slice(0, MAX_EVALUATED[unit]).map((k) => decision.candidates[k]!)
    const [obvious, expected] = this.obvious(view, seat, decision.candidates)
    if (obvious >= 0n && !weighed.includes(expected)) weighed.push(expected)
    const { worth, points, counts } = this.evaluate(view, seat, weighed, hints.worlds, seedBits(seed + 2n))
    const mean = (k: number): number => sum(worth[k]!) / hints.worlds
    const ranked = weighed.map((_, k) => k).sort((a, b) => mean(b) - mean(a))
    const showsAll = places.length <= MAX_EVALUATED[unit]
    const order = ranked.filter((k, place) => showsAll || place < hints.weighed || (obvious >= 0n && weighed[k] === expected))
    let best = order[0]!
    const currentWorth = unit === '%' ? -50 : this.worth(view, seat)
    let gaps = order.map((k) => (k === best ? ([0, 0] as const) : meanAndError(worth[best]!.map((value, world) => value - worth[k]![world]!))))
    let ties = order.map((k, place) => k !== best && gaps[place]![0] <= Math.max(hints.tied * gaps[place]![1], hints.nothing))
    const obviousAt = obvious < 0n ? -1 : weighed.indexOf(expected)
    const known = new Map<string, MessageText[]>()
    const reasons = (k: number, rival: number, side: bigint): MessageText[] => {
      const key = `${k} ${rival} ${side}`
      const isObvious = rival === obviousAt && side !== AGAINST
      const found = known.get(key) ?? why?.list(view, seat, weighed[k]!, counts[k]!, isObvious ? obvious : weighed[rival]!, counts[rival]!, side) ?? []
      known.set(key, found)
      return found
    }
    if (unit === '%' && why) // a small difference that nothing on the table explains tells a player nothing
      ties = order.map((k, place) => ties[place]! || (k !== best && gaps[place]![0] <= hints.obvious && reasons(best, k, FOR).every(([id]) => UNEXPLAINED.includes(id))))
    // Of equal answers the obvious card comes first or, if the best one is ahead of it by more than `hints.obvious`, second,
    // as in the server's `rank_choices`.
    const placeOfObvious = order.indexOf(obviousAt)
    if (ties[placeOfObvious]) {
      const isRecommended = question === 'victim' || gaps[placeOfObvious]![0] <= hints.obvious
      const first = isRecommended ? [obviousAt, best] : [best, obviousAt]
      const now = [...first, ...order.filter((k) => !first.includes(k))].map((k) => order.indexOf(k))
      const [gapsBefore, tiesBefore, orderBefore] = [gaps, ties, [...order]]
      gaps = now.map((place) => gapsBefore[place]!)
      ties = now.map((place, k) => k > 0 && (tiesBefore[place]! || place === 0))
      order.splice(0, order.length, ...now.map((place) => orderBefore[place]!))
      best = order[0]!
    }
    const isAlike = (k: number, place: number) => k !== best && gaps[place]![0] < CLEAR_LEAD && ![...reasons(best, k, FOR), ...reasons(k, best, FOR)].length
    const alike = question === 'victim' && why ? order.filter(isAlike) : []
    if (alike.length) { // a small difference between players whom nothing on the table tells apart tells a player nothing
      const byPlace = order.map((k, place) => ({ k, gap: gaps[place]!, tied: ties[place]! || alike.includes(k) }))
      byPlace.sort((a, b) => Number(a.k !== best) - Number(b.k !== best) || Number(!alike.includes(a.k)) - Number(!alike.includes(b.k)))
      order.splice(0, order.length, ...byPlace.map(({ k }) => k))
      gaps = byPlace.map(({ gap }) => gap)
      ties = byPlace.map(({ tied }) => tied)
    }
    // The best answer is compared with the obvious card first and, in games measured by chances, last with equal ones.
    const explainsTies = unit === '%' || question === 'victim'
    const worse = order.filter((k, place) => k !== best && !ties[place]).sort((a, b) => Number(a !== obviousAt) - Number(b !== obviousAt))
    const cardsOf = (k: number) => (k === obviousAt && !this.isSet(view) ? [this.info.cards[Number(obvious)]!] : named(weighed[k]!)).filter((one) => this.info.cards.includes(String(one)))
    const namedCards = (k: number) => named(weighed[k]!).map(String).filter((one) => this.info.cards.includes(one))
    const tied = order.filter((_, place) => ties[place])
    const equal = tied.flatMap(namedCards)
    const forBest = (one: number, rival: number) => reasons(one, rival, FOR).filter((reason) => !isContradicted(reason, namedCards(best), equal, this.info.cards))
    const gapOf = (one: number) => gaps[order.indexOf(one)]![0]
    const whyBest = (): MessageText[] => {
      if (!why) return []
      if (this.isSet(view)) {
        const found = reasonsForSet(best, worse, tied, forBest, gapOf)
        return [...found, ...whyNoSuitGoes(this.heldSuits(decision.candidates), weighed[best]!, this.info.cards.length / 4, found)]
      }
      const found = reasonsForBest(best, rivals, worse, forBest, unit, cardsOf, gapOf, obviousAt, tied.length > 0)
      return unit === 'points' ? [...found, ...reasonBeyondDirect(best, worse, found, forBest)] : found
    }
    /** Return a reason against a worse answer. For a card that may be its fault, or an advantage of the best card. */
    const reasonAgainst = (k: number): MessageText[] => {
      const own = reasons(k, best, AGAINST)
      if (own.length || question !== 'play') return own
      const instead = reasons(best, k, FOR).filter((reason) => !isGeneral(reason))
      return [...reasons(best, k, CONTRAST), ...instead.map((reason): MessageText => ['hint-instead', { card: named(weighed[best]!)[0], reason }])]
    }
    const rivals = [...worse, ...(explainsTies ? tied : [])]
    const reasonsForBestAnswer = [...whyBest(), ...(worse.includes(obviousAt) ? reasons(best, obviousAt, CONTRAST).slice(0, 1) : [])]
    const choices = order.slice(0, hints.told).map((k, place): EvaluatedChoice => {
      const [behind, behind_error] = gaps[place]!
      const [gain, gain_error] = meanAndError(points[k]!)
      const because =
        k === best || alike.includes(k)
          ? reasonsForBestAnswer
          : !ties[place] ? reasonAgainst(k).slice(0, 1) : explainsTies ? reasons(k, best, FOR).slice(0, 1) : []
      return { answers: named(weighed[k]!), gain: gain - currentWorth, gain_error, behind, behind_error, tied: ties[place]!, because }
    })
    return { question, unit, choices, worlds: hints.worlds }
  }

  /** Return the obvious answer, which the lessons suggest, and the candidate that stands for it; −1 if there is none. */
  private obvious(view: Row, seat: number, candidates: bigint[]): [bigint, bigint] {
    if (this.isSet(view)) return [this.wholeSuits(candidates), this.wholeSuits(candidates)]
    this.module.numbers(this.candidates, candidates.length).set(candidates)
    this.call(view, 'obvious', BigInt(seat), this.candidates, BigInt(candidates.length), this.out)
    const [card, stands] = [...this.module.numbers(this.out, 2)] as [bigint, bigint]
    return [card, stands]
  }

  private isSet(view: Row): boolean {
    const { name, then } = this.info.questions[Number(view[2])]!
    return name === then
  }

  /** Return the cards in hand by suit, given all sets that may be passed. */
  private heldSuits(sets: bigint[]): bigint[] {
    const [hand, ranks] = [sets.reduce((all, one) => all | one), BigInt(this.info.cards.length / 4)]
    return [0n, 1n, 2n, 3n].map((suit) => hand & (((1n << ranks) - 1n) << (suit * ranks)))
  }

  /** Return the set that empties the most suits and has no ♦, or −1 if none does; see `hints.whole_suits` of the server. */
  private wholeSuits(sets: bigint[]): bigint {
    const suits = this.heldSuits(sets)
    const emptied = (one: bigint) => {
      const parts = suits.filter((suit) => one & suit)
      return !(one & suits[0]!) && parts.every((suit) => (one & suit) === suit) ? parts.length : 0
    }
    const best = sets.reduce((best, one) => (emptied(one) > emptied(best) || (emptied(one) === emptied(best) && one < best) ? one : best))
    return emptied(best) ? best : -1n
  }

  private decide(view: Row, seat: number, effort: number[], bits: bigint): SearchDecision {
    const { module } = this
    this.setSearchParams(effort)
    this.call(view, 'think', BigInt(seat), this.searchParams, this.learned, 0n, BigInt.asIntN(64, bits), this.candidates, this.worths, this.tried, this.out)
    const [number, best, answer] = [...module.numbers(this.out, 3)].map(Number)
    if (best! < 0) throw new RangeError('view') // the view does not belong to a running game
    return {
      candidates: [...module.numbers(this.candidates, number!)],
      worth: [...module.floats(this.worths, number!)],
      tried: [...module.numbers(this.tried, number!)].map(Number),
      best: best!,
      answer: answer!,
    }
  }

  private evaluate(view: Row, seat: number, candidates: bigint[], worlds: number, bits: bigint): WorldSamples {
    const { module } = this
    const { hints, columns } = this.info.thinking!
    const number = candidates.length
    const [worth, points] = [module.allocate(worlds * number), module.allocate(worlds * number)]
    const counts = module.allocate(number * columns)
    module.floats(counts, number * columns).fill(0)
    module.numbers(this.candidates, number).set(candidates)
    this.setSearchParams(hints.params)
    this.call(
      view, 'weigh', BigInt(seat), this.searchParams, this.candidates, BigInt(number), this.learned, BigInt.asIntN(64, bits), BigInt(worlds),
      worth, points, counts, this.out,
    )
    if (!module.numbers(this.out, 1)[0]) throw new RangeError('view')
    const column = (at: number, k: number): number[] => Array.from({ length: worlds }, (_, world) => module.floats(at, worlds * number)[world * number + k]!)
    const evaluation = {
      worth: candidates.map((_, k) => column(worth, k)),
      points: candidates.map((_, k) => column(points, k)),
      counts: candidates.map((_, k) => module.floats(counts + 8 * columns * k, columns).slice()),
    }
    module.release(worth)
    return evaluation
  }
}
