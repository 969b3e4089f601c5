// Events that concern every page: turns, moderation, new versions, and the browser's install prompt. Their handlers
// are loaded with the first event.
import type { Component } from 'svelte'

export const globalEvents = $state({ Badge: null as Component | null, onTurns: (_: string): void => {}, onModeration: (_: string): void => {}, onNewVersion: (): void => {}, installPrompt: null as Event | null })
