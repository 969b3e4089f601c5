// What tables of one's own are without a page: with it a program can do all that a page does.
export { Mind, Rules } from '../engine'
export { deeds } from './jobs'
export { OwnHouse } from './localServer'
export { Memory } from './storage'
export { OwnTable } from './localTable'
