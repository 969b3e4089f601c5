// The check for a newer version of the client, which is offered to the player. The current version keeps running.
import { mount } from 'svelte'
import { buildId } from '../client/lazyLoad'
import { loadPart, pages } from '../client/i18n.svelte'
import UpdateAvailable from './UpdateAvailable.svelte'

let checked = false

/** Check once whether the client has changed, because the server may have restarted with the same client. */
export async function checkForUpdate(): Promise<void> {
  if (checked) return
  checked = true
  const page = await fetch('/', { cache: 'no-cache' }).catch(() => null)
  checked = Boolean(page?.ok)
  if (!page?.ok || (await page.text()).includes(buildId.slice(buildId.lastIndexOf('/')))) return
  await loadPart(pages)
  mount(UpdateAvailable, { target: document.body })
}
