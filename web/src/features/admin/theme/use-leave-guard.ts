import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router-dom'

/**
 * While there is something unsaved: a link within the app asks first, and so does the browser before it closes or
 * loads the page anew.
 */
export function useLeaveGuard(isUnsaved: boolean) {
  const [wanted, setWanted] = useState<string>()
  const navigate = useNavigate()

  const onClick = useEffectEvent((event: MouseEvent) => {
    const path = pathOfPlainClick(event)
    if (path === undefined || path === window.location.pathname + window.location.search) return
    event.preventDefault()
    event.stopPropagation()
    setWanted(path)
  })
  useEffect(() => {
    if (!isUnsaved) return
    const click = (event: MouseEvent) => onClick(event)
    const beforeUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    // Before the router hears of it.
    document.addEventListener('click', click, { capture: true })
    window.addEventListener('beforeunload', beforeUnload)
    return () => {
      document.removeEventListener('click', click, { capture: true })
      window.removeEventListener('beforeunload', beforeUnload)
    }
  }, [isUnsaved])

  return {
    isAsking: wanted !== undefined,
    stay: () => setWanted(undefined),
    leave: () => {
      setWanted(undefined)
      if (wanted !== undefined) navigate(wanted)
    },
  }
}

/** Where in the app a click would lead in this tab; undefined for every other click. */
function pathOfPlainClick(event: MouseEvent): string | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || link.target === '_blank' || link.hasAttribute('download')) {
    return undefined
  }
  const isOnPage = link.getAttribute('href')?.startsWith('#') === true
  if (isOnPage || link.origin !== window.location.origin) return undefined
  return link.pathname + link.search + link.hash
}
