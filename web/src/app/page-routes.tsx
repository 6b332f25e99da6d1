import { type ComponentType, isValidElement, lazy, type ReactNode, useEffect, useState } from 'react'
import { createRoutesFromElements, matchRoutes, type RouteObject, useRoutes } from 'react-router-dom'

type Load = () => Promise<ComponentType>

const loads = new WeakMap<object, Load>()

/** A page whose code is fetched when it is first shown, or when somebody is about to go there. */
export function page(load: Load) {
  const Page = lazy(async () => ({ default: await load() }))
  loads.set(Page, load)
  return Page
}

/** For a route that shows one of several pages: the code of this one comes with the wish to go there. */
export const showsMostly = (route: ComponentType, load: Load): void => void loads.set(route, load)

/** Like `Routes`; and the code of a page is fetched as soon as a link to it is pointed at or focused. */
export function PageRoutes({ children }: { children: ReactNode }) {
  // They are written down once: those of the first drawing are those of all.
  const [routes] = useState(() => createRoutesFromElements(children))
  useEffect(() => fetchAhead(routes), [routes])
  return useRoutes(routes)
}

const SIGNS = ['pointerover', 'focusin', 'touchstart'] as const

function fetchAhead(routes: RouteObject[]): () => void {
  const onSign = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
    if (!link || link.origin !== window.location.origin) return
    const element = matchRoutes(routes, link.pathname)?.at(-1)?.route.element
    const load = isValidElement(element) && typeof element.type !== 'string' && loads.get(element.type)
    // What cannot be fetched now is asked for again when the link is followed.
    if (load) load().catch(() => undefined)
  }
  for (const sign of SIGNS) document.addEventListener(sign, onSign, { passive: true })
  return () => {
    for (const sign of SIGNS) document.removeEventListener(sign, onSign)
  }
}
