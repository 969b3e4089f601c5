// The manifest of the Wasm modules: declarations of the games, as `diamonds build-wasm` writes them (src/diamonds/wasm/manifest.py).
import type { OptionShape } from '../client/options'

export type ValueKind = 'number' | 'flag' | 'seat' | 'suit' | 'suits' | 'card' | 'cards' | 'trick' | 'owners'

/** A file beside the manifest; `free` is the address from which on a module's memory is free. */
export interface FileManifest {
  file: string
  sha256: string
  bytes: number
}
export interface ModuleManifest extends FileManifest {
  free: number
}

export interface FieldManifest {
  name: string
  kind: ValueKind
  at: number
  shape: number[]
  by_team: boolean
  places: number
  derived: boolean
}

export interface ValueManifest {
  name: string
  kind: ValueKind
  to: string[]
}

/** Whoever has given a `silent` answer is asked `then` next; where that is the same question, a set is named, one of it after the other. */
export interface QuestionManifest {
  name: string
  answers: (number | string)[]
  silent: (number | string)[]
  then: string
}

/** What is told only once while a flag is not set: what is older than the last trick of the deal. By the places of events. */
export interface EventExpiryManifest {
  unless: string
  card: number
  trick: number
  deal: number
}

/** Why an answer is good or bad: how many values each reason has room for, how much is counted, and what each says. */
export interface ReasonsManifest extends ModuleManifest {
  values: number
  columns: number
  ids: { id: string; values: ValueManifest[] }[]
}

/** How bots think: each level's effort, as numbers; and how hints weigh. */
export interface SearchManifest extends ModuleManifest {
  learned: FileManifest | null
  efforts: Record<string, number[]>
  weighing: number[]
  candidates: number
  columns: number
  unit: '%' | 'points'
  hints: { worlds: number; weighed: number; told: number; tied: number; nothing: number }
}

/** How a finished game is looked at again. */
export interface ReviewManifest extends ModuleManifest {
  looks: number[]
  seeds: number[]
  slips: number
  forecasts: number
  material: number
}

export interface GameManifest {
  version: number
  seats: number[]
  usual_seats: number
  cards: string[]
  row: number
  fields: FieldManifest[]
  options: OptionShape[]
  questions: QuestionManifest[]
  events: { name: string; values: ValueManifest[] }[]
  refusals: { id: string; rule: string; value: ValueManifest | null }[]
  endings: { name: string; values: string[] }[]
  facts: { id: string; values: string[] }[]
  fading: EventExpiryManifest | null
  pad: string[]
  play: ModuleManifest
  thinking?: SearchManifest
  review?: ReviewManifest
  reasons?: ReasonsManifest
}

export interface Manifest {
  made_from: string
  seats: number
  log: { rows: number; width: number }
  laid_out: number
  record: string
  games: Record<string, GameManifest>
}

/** How a file beside the manifest is had: from the server, from a folder. */
export type FetchFile = (file: string) => Promise<Uint8Array<ArrayBuffer>>
