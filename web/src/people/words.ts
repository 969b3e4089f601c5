// What is said about accounts, by what finds people to play with, and by what there is at a table only where people meet.
import { part } from '../net/words.svelte'

export const people = part(import.meta.glob('../../../src/diamonds/words/*.ftl', { query: '?people', import: 'default' }))
export const meet = part(import.meta.glob('../../../src/diamonds/words/*.ftl', { query: '?meet', import: 'default' }))
/** What is said of games over days: where it is one's turn. */
export const turn = part(import.meta.glob('../../../src/diamonds/words/*.ftl', { query: '?turn', import: 'default' }))
/** What the chat says. */
export const talk = part(import.meta.glob('../../../src/diamonds/words/*.ftl', { query: '?talk', import: 'default' }))
/** What clocks say. */
export const clocks = part(import.meta.glob('../../../src/diamonds/words/*.ftl', { query: '?clocks', import: 'default' }))
