// What is said about order: to hosts, and by them.
import { part } from '../net/words.svelte'

export const order = part(import.meta.glob('../../../src/diamonds/words/*.ftl', { query: '?order', import: 'default' }))
