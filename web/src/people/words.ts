// What is said about accounts.
import { part } from '../net/words.svelte'

export const people = part(import.meta.glob<string>('../../../src/diamonds/words/*.ftl', { query: '?people', import: 'default' }))
