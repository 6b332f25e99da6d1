import { type ComponentType, isValidElement, lazy, type ReactNode, useEffect, useState } from 'react'
import { createRoutesFromElements, matchRoutes, type RouteObject, useRoutes } from 'react-router-dom'

type Load = () => Promise<ComponentType>

const loads = new WeakMap<object, Load>()

/** A page whose code is loaded when it is first shown, or when a link to it is pointed at or focused. */
export function page(load: Load) {
  const Page = lazy(async () => ({ default: await load() }))
  loads.set(Page, load)
  return Page
}

/** For a route that shows one of several pages: the page to load when a link to the route is pointed at or focused. */
export const preloadsPage = (route: ComponentType, load: Load): void => void loads.set(route, load)

/** Like `Routes`, but loads the code of a page as soon as a link to it is pointed at or focused. */
export function PageRoutes({ children }: { children: ReactNode }) {
  // The routes are constant, so those of the first render are kept.
  const [routes] = useState(() => createRoutesFromElements(children))
  useEffect(() => preloadOnIntent(routes), [routes])
  return useRoutes(routes)
}

const INTENT_EVENTS = ['pointerover', 'focusin', 'touchstart'] as const

function preloadOnIntent(routes: RouteObject[]): () => void {
  const onIntent = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
    if (!link || link.origin !== window.location.origin) return
    const element = matchRoutes(routes, link.pathname)?.at(-1)?.route.element
    const load = isValidElement(element) && typeof element.type !== 'string' && loads.get(element.type)
    // After a failure the code is requested again when the link is followed.
    if (load) load().catch(() => undefined)
  }
  for (const type of INTENT_EVENTS) document.addEventListener(type, onIntent, { passive: true })
  return () => {
    for (const type of INTENT_EVENTS) document.removeEventListener(type, onIntent)
  }
}
