// What is said about accounts, and by what finds people to play with.
import { part } from '../net/words.svelte'

export const people = part(import.meta.glob<string>('../../../src/diamonds/words/*.ftl', { query: '?people', import: 'default' }))
export const meet = part(import.meta.glob<string>('../../../src/diamonds/words/*.ftl', { query: '?meet', import: 'default' }))
/** What is said of games over days: where it is one's turn. */
export const turn = part(import.meta.glob<string>('../../../src/diamonds/words/*.ftl', { query: '?turn', import: 'default' }))
