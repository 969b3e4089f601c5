// What tables of one's own are without a page: with it a program can do all that a page does.
export { Mind, Rules } from '../engine'
export { deeds } from './deeds'
export { OwnHouse } from './house'
export { Memory } from './kept'
export { OwnTable } from './table'
