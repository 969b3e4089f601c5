// Lazy loading of code, with a reload if the server has a newer version.
const RELOAD_FLAG = 'diamonds.reloaded'
/** The URL of the entry script; its hash changes with every build. */
export const buildId = document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? ''

/** Return whether the page can be reloaded. Without the server, a reload would lose its state. */
const canReload = (): Promise<boolean> => fetch('/', { method: 'HEAD', cache: 'no-store' }).then(({ status }) => status < 500, () => false)

/**
 * Load code. If its file is gone, the server has a newer version, and the page reloads. If the page has already reloaded and is still the same
 * version, throw the error.
 */
export async function lazy<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (sessionStorage.getItem(RELOAD_FLAG) === buildId || !navigator.onLine || !(await canReload())) throw error
    sessionStorage.setItem(RELOAD_FLAG, buildId)
    location.reload()
    return await new Promise<never>(() => {})
  }
}
