/**
 * Whether the server has other scripts by now than this page was made of: then what it still wants to load is gone,
 * and only loading it anew helps. False when that cannot be found out.
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
