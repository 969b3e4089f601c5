// The engine: games of one's own, in a browser or anywhere else where modules run.
export type { Fetch, Manifest } from './manifest'
export { Mind, type Decision } from './mind'
export { OwnGame, type Ask, type Header } from './game'
export { Refused } from './refused'
export { Rules, type Log, type Result, type Row } from './rules'
