// The catalog part for finished games and records.
import { part } from '../client/i18n.svelte'

export const records = part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?records', import: 'default' }))
/** Duels: challenges and comparisons. */
export const duels = part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?duel', import: 'default' }))
