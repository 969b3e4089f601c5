// What is said about order: to hosts, and by them.
import { part } from '../client/i18n.svelte'

export const moderation = part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?moderation', import: 'default' }))
