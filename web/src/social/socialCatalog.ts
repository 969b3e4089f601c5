// Catalog parts needed only with other people: lobby, chat, clocks, turns.
import { part } from '../client/i18n.svelte'

export const social = part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?social', import: 'default' }))
/** Games with days per move, and the turn feed. */
export const turns = part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?turns', import: 'default' }))
export const chat = part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?chat', import: 'default' }))
export const clocks = part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?clocks', import: 'default' }))
