// Chat modes, and the ready phrases.
import type { MessageId } from '../client/i18n.svelte'
import type { ChatMessageInfo, TableInfo } from '../client/types'

export type Phrase = NonNullable<ChatMessageInfo['phrase']>

export const PHRASES: Phrase[] = ['hello', 'luck', 'nice', 'well-played', 'thanks', 'sorry', 'oops', 'moment', 'again', 'bye']
export const CHAT_MODES: TableInfo['chat_mode'][] = ['all', 'phrases', 'none']

/** How a phrase is said. */
export const phraseId = (one: Phrase): MessageId => `page-phrase-${one}`
