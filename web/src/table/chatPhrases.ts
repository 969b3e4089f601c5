// Chat modes and ready-made phrases.
import type { MessageId } from '../client/i18n.svelte'
import type { ChatMessageInfo, TableInfo } from '../client/types'

export type Phrase = NonNullable<ChatMessageInfo['phrase']>

export const PHRASES: Phrase[] = ['hello', 'luck', 'nice', 'well-played', 'thanks', 'sorry', 'oops', 'moment', 'again', 'bye']
export const CHAT_MODES: TableInfo['chat_mode'][] = ['all', 'phrases', 'none']

export const phraseId = (one: Phrase): MessageId => `page-phrase-${one}`
