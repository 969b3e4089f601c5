// Another page than this one is at the house by now: that is offered, and this one goes on as long as one likes.
import { mount } from 'svelte'
import { built } from '../client/lazy'
import { learn, pages } from '../client/i18n.svelte'
import UpdateAvailable from './UpdateAvailable.svelte'

let looked = false

/** Have a look, once, whether it is so: the house may have been rebuilt while it was open, and this be its page all the same. */
export async function look(): Promise<void> {
  if (looked) return
  looked = true
  const page = await fetch('/', { cache: 'no-cache' }).catch(() => null)
  looked = Boolean(page?.ok)
  if (!page?.ok || (await page.text()).includes(built.slice(built.lastIndexOf('/')))) return
  await learn(pages)
  mount(UpdateAvailable, { target: document.body })
}
