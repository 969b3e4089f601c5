// Lazy loading of code. A load that fails is repeated once the server answers; if the server has a newer version, the page reloads.
import { setAway } from './serverReachability.svelte'

const RELOAD_FLAG = 'diamonds.reloaded'
/** The URL of the entry script; its hash changes with every build. */
export const buildId = document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? ''

/** Style sheets that failed to load. Vite requests each only once. */
const failedStyles = new Set<HTMLLinkElement>()
addEventListener('error', ({ target }) => void (target instanceof HTMLLinkElement && target.rel === 'stylesheet' && failedStyles.add(target)), true)

const RETRY_MS = 2000

/** Return whether the server answers. Without it, a reload would lose the page's state. */
const isReachable = async (): Promise<boolean> => navigator.onLine && (await fetch('/', { method: 'HEAD', cache: 'no-store' }).then(({ status }) => status < 500, () => false))

/** Wait until the server answers. */
async function waitForServer(): Promise<void> {
  setAway(true)
  do await new Promise((done) => setTimeout(done, RETRY_MS))
  while (!(await isReachable()))
  setAway(false)
}

/** Request failed style sheets again. */
const retryStyles = (): Promise<unknown> =>
  Promise.all(
    [...failedStyles].map((failed) => {
      failedStyles.delete(failed)
      const link = failed.cloneNode() as HTMLLinkElement
      return new Promise((done) => {
        link.onload = link.onerror = done
        failed.replaceWith(link)
      })
    }),
  )

/**
 * Load code. If that fails, wait until the server answers, and load again. If it fails again although the server answers, the file is gone because the
 * server has a newer version, so reload the page; if the page has already reloaded and is still the same version, throw the error.
 */
export async function lazy<T>(load: () => Promise<T>, isRepeated = false): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (!(await isReachable())) await waitForServer()
    else if (isRepeated) {
      if (sessionStorage.getItem(RELOAD_FLAG) === buildId) throw error
      sessionStorage.setItem(RELOAD_FLAG, buildId)
      location.reload()
      return await new Promise<never>(() => {})
    }
    await retryStyles()
    return lazy(load, true)
  }
}
