// The catalog part for finished games and records.
import { part } from '../client/i18n.svelte'

export const records = part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?records', import: 'default' }))
