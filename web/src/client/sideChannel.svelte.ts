// Events that come with every stream or response, whatever the page shows: turns, moderation, a newer version, the browser's offer to install.
// Their handlers are loaded when the first event comes.
import type { Component } from 'svelte'

export const sideChannel = $state({ Badge: null as Component | null, onTurns: (_: string): void => {}, onModeration: (_: string): void => {}, onNewVersion: (): void => {}, installPrompt: null as Event | null })
