// What is said of a finished game and of its record.
import { part } from '../net/words.svelte'

export const records = part(import.meta.glob('../../../src/diamonds/words/*.ftl', { query: '?records', import: 'default' }))
