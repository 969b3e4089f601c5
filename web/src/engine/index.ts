// The engine: games of one's own, in a browser or anywhere else where modules run.
export type { Fetch, Manifest } from './manifest'
export { bitsOf } from './chance'
export { Mind, type Advice, type Decision, type Weighed } from './mind'
export { OwnGame, type Ask, type Header } from './game'
export { Refused } from './refused'
export { Rules, type Log, type Result, type Row } from './rules'
export { accounts, Judge, type Account, type Chances, type Judged, type Plan, type Step } from './review'
export { spoken, verdict, type Says } from './spoken'
