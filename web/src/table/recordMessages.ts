// What is said of a finished game and of its record.
import { part } from '../client/i18n.svelte'

export const records = part(import.meta.glob('../../../src/diamonds/words/*.ftl', { query: '?records', import: 'default' }))
