// Events that arrive with any stream or response, whatever the page shows: turns, moderation, new versions, the
// browser's install prompt. Their handlers are loaded with the first event.
import type { Component } from 'svelte'

export const globalEvents = $state({ Badge: null as Component | null, onTurns: (_: string): void => {}, onModeration: (_: string): void => {}, onNewVersion: (): void => {}, installPrompt: null as Event | null })
