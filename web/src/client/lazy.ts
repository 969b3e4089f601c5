// Lazy loading of code, with a reload if the server has a newer version.
const RELOAD_FLAG = 'diamonds.reloaded'
/** The page as it was built: its first file is named by all that is in it. */
export const buildId = document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? ''

/** Whether the page could be loaded anew: without its server, what is here would be lost for an error of the browser. */
const canReload = (): Promise<boolean> => fetch('/', { method: 'HEAD', cache: 'no-store' }).then(({ status }) => status < 500, () => false)

/**
 * Load a part. If its file is gone, the server was updated meanwhile: the page is loaded anew, where it is. A page that
 * was already loaded anew and is still the same one would get no further by that, and the error is passed on.
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
