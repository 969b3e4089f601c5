// What hosts have to say to whoever reads, on whatever page: one thing at a time, the last one that came on any stream.
import { mount } from 'svelte'
import type { Notice } from '../client/types'
import Shown from './ModerationNotice.svelte'

let lastText = ''
let mounted = false
const shown = $state({ notice: null as Notice | null, read: dismiss })

/** The reader has read it. */
function dismiss(): void {
  shown.notice = null
  lastText = ''
}

/** It comes with every stream, and is shown once. */
export function onModerationEvent(text: string): void {
  if (text === lastText) return
  lastText = text
  shown.notice = JSON.parse(text) as Notice
  if (!mounted) mount(Shown, { target: document.body, props: shown })
  mounted = true
}
