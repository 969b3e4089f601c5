// A check for a newer version of the client. It is offered; the current one keeps running.
import { mount } from 'svelte'
import { buildId } from '../client/lazy'
import { loadPart, pages } from '../client/i18n.svelte'
import UpdateAvailable from './UpdateAvailable.svelte'

let checked = false

/** Have a look, once, whether it is so: the server may have been rebuilt while it was open, and this be its page all the same. */
export async function checkForUpdate(): Promise<void> {
  if (checked) return
  checked = true
  const page = await fetch('/', { cache: 'no-cache' }).catch(() => null)
  checked = Boolean(page?.ok)
  if (!page?.ok || (await page.text()).includes(buildId.slice(buildId.lastIndexOf('/')))) return
  await loadPart(pages)
  mount(UpdateAvailable, { target: document.body })
}
