// The manifest of the Wasm modules: declarations of the games, written by `diamonds build-wasm` (src/diamonds/wasm/manifest.py).
import type { OptionDefinition } from '../client/options'

export type ValueKind = 'number' | 'flag' | 'seat' | 'suit' | 'suits' | 'card' | 'cards' | 'trick' | 'owners'

/** A file beside the manifest. */
export interface FileManifest {
  file: string
  sha256: string
  bytes: number
}
/** A module, whose memory is unused from address `free` on. */
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

/** A question. After a `silent` answer the same seat is asked `then`; if `then` is this question, a set is named one card at a time. */
export interface QuestionManifest {
  name: string
  answers: (number | string)[]
  silent: (number | string)[]
  then: string
}

/** Event expiry: unless the flag `unless` is set, events before the last trick of the deal are hidden. The numbers are event indexes. */
export interface EventExpiryManifest {
  unless: string
  card: number
  trick: number
  deal: number
}

/** Reasons for and against answers: the largest numbers of values per reason and of reasons, the number of counted columns, and message ids. */
export interface ReasonsManifest extends ModuleManifest {
  values: number
  most: number
  columns: number
  ids: { id: string; values: ValueManifest[] }[]
}

/** Bot search: the version of the bots, the search parameters of each level, and those of hints. */
export interface SearchManifest extends ModuleManifest {
  learned: FileManifest | null
  bots: string
  efforts: Record<string, number[]>
  weighing: number[]
  candidates: number
  columns: number
  unit: '%' | 'points'
  hints: { worlds: number; params: number[]; weighed: number; told: number; tied: number; nothing: number; obvious: number }
}

/** The review of finished games. */
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
  options: OptionDefinition[]
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

/** A function that loads a file beside the manifest, from a server or a folder. */
export type FetchFile = (file: string) => Promise<Uint8Array<ArrayBuffer>>
