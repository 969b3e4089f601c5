// What is told on every stream besides: where it is one's turn, and what hosts have to say; and by each reply, whether the house has another page by now. And what the browser offers: to install the page. What tells it on the page comes when there is something to tell.
import type { Component } from 'svelte'

export const sideChannel = $state({ Badge: null as Component | null, onTurns: (_: string): void => {}, onModeration: (_: string): void => {}, onNewVersion: (): void => {}, installPrompt: null as Event | null })
