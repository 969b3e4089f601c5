// Catalog parts of the lobby, chat, clocks and turns, which are needed only where people meet.
import { part } from '../client/i18n.svelte'

export const social = part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?social', import: 'default' }))
/** What is said of games over days: where it is one's turn. */
export const turns = part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?turns', import: 'default' }))
/** What the chat says. */
export const chat = part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?chat', import: 'default' }))
/** What clocks say. */
export const clocks = part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?clocks', import: 'default' }))
