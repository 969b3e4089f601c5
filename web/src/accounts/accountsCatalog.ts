// The catalog part of accounts.
import { part } from '../client/i18n.svelte'

export const accounts = part(import.meta.glob('../../../src/diamonds/i18n/*.ftl', { query: '?accounts', import: 'default' }))
