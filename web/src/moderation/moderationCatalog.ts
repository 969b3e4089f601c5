// The catalog part of moderation.
import { part } from '../client/i18n.svelte'

export const moderation = part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?moderation', import: 'default' }))
