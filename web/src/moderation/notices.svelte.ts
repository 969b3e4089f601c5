// Moderation notices, shown one at a time on any page.
import { mount } from 'svelte'
import type { ModerationNotice } from '../client/types'
import NoticeDialog from './ModerationNotice.svelte'

let lastText = ''
let mounted = false
const props = $state({ notice: null as ModerationNotice | null, read: dismiss })

function dismiss(): void {
  props.notice = null
  lastText = ''
}

/** Handle a notice. It arrives with every stream, but is shown once. */
export function onModerationEvent(text: string): void {
  if (text === lastText) return
  lastText = text
  props.notice = JSON.parse(text) as ModerationNotice
  if (!mounted) mount(NoticeDialog, { target: document.body, props: props })
  mounted = true
}
