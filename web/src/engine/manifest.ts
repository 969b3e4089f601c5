// What is declared beside the rules, as `diamonds build-kernels` writes it (src/diamonds/wasm/manifest.py).
import type { Bare } from '../client/options'

export type Kind = 'number' | 'flag' | 'seat' | 'suit' | 'suits' | 'card' | 'cards' | 'trick' | 'owners'

/** A file beside the manifest; `free` is the address from which on a module's memory is free. */
export interface FileInfo {
  file: string
  sha256: string
  bytes: number
}
export interface ModuleInfo extends FileInfo {
  free: number
}

export interface FieldInfo {
  name: string
  kind: Kind
  at: number
  shape: number[]
  by_team: boolean
  places: number
  derived: boolean
}

export interface ValueInfo {
  name: string
  kind: Kind
  to: string[]
}

/** Whoever has given a `silent` answer is asked `then` next; where that is the same question, a set is named, one of it after the other. */
export interface QuestionInfo {
  name: string
  answers: (number | string)[]
  silent: (number | string)[]
  then: string
}

/** What is told only once while a flag is not set: what is older than the last trick of the deal. By the places of events. */
export interface FadingInfo {
  unless: string
  card: number
  trick: number
  deal: number
}

/** Why an answer is good: how many reasons are told at most, how many values each has room for, how much is counted, and what each says. */
export interface ReasonsInfo extends ModuleInfo {
  told: number
  values: number
  columns: number
  ids: { id: string; values: ValueInfo[] }[]
}

/** How bots think: each level's effort, as numbers; and how hints weigh. */
export interface ThinkingInfo extends ModuleInfo {
  learned: FileInfo | null
  efforts: Record<string, number[]>
  weighing: number[]
  candidates: number
  columns: number
  unit: '%' | 'points'
  hints: { worlds: number; weighed: number; told: number; tied: number; nothing: number }
}

/** How a finished game is looked at again. */
export interface ReviewInfo extends ModuleInfo {
  looks: number[]
  seeds: number[]
  slips: number
  forecasts: number
  material: number
}

export interface GameInfo {
  version: number
  seats: number[]
  usual_seats: number
  cards: string[]
  row: number
  fields: FieldInfo[]
  options: Bare[]
  questions: QuestionInfo[]
  events: { name: string; values: ValueInfo[] }[]
  refusals: { id: string; rule: string; value: ValueInfo | null }[]
  endings: { name: string; values: string[] }[]
  facts: { id: string; values: string[] }[]
  fading: FadingInfo | null
  pad: string[]
  play: ModuleInfo
  thinking?: ThinkingInfo
  review?: ReviewInfo
  reasons?: ReasonsInfo
}

export interface Manifest {
  made_from: string
  seats: number
  log: { rows: number; width: number }
  laid_out: number
  record: string
  games: Record<string, GameInfo>
}

/** How a file beside the manifest is had: from the house, from a folder. */
export type Fetch = (file: string) => Promise<Uint8Array<ArrayBuffer>>
