/**
 * Whether the server has other scripts than this page: then its remaining chunks are gone, and it must be reloaded.
 * False if the check fails.
 */
export async function hasNewRelease(): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]')
  if (!script) return false
  try {
    const response = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } })
    return response.ok && !(await response.text()).includes(new URL(script.src).pathname)
  } catch {
    return false
  }
}

/** Reloads the page, after a failure, if a deploy has replaced its scripts: it then runs the new ones. */
export const reloadForNewRelease = (): void =>
  void hasNewRelease().then((isNew) => {
    if (isNew) window.location.reload()
  })
