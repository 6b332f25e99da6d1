import { useEffect, useEffectEvent, useState } from 'react'
import { matchPath, useLocation } from 'react-router-dom'
import type { ViewPlace } from '../features/live/picture-place.ts'
import { part } from '../lib/browser/part.tsx'
import { useMediaQuery } from '../lib/browser/use-media-query.ts'
import { liveStage, onLivePictureEnd } from '../lib/media/live-picture.ts'
import { paths } from '../lib/paths.ts'
import { useSession } from '../lib/session/session.tsx'
import { useSessionEnd } from '../lib/session/use-session-end.ts'

export const LivePage = part(async () => (await import('./pages/live-page.tsx')).LivePage, true)

/** Where people work or sign in: the picture does not stay there. */
const WITHOUT_PICTURE = [
  `${paths.admin()}/*`,
  paths.control(),
  paths.submissions(),
  paths.moderation(),
  paths.takeover(),
  paths.confirm(),
  paths.callback(),
  paths.reset(),
]

/** In lower windows, as at a zoom of 400 %, the smallest player that YouTube permits would cover the page. */
const HAS_ROOM = '(min-height: 20rem)'

/**
 * The live page, above the routes: after a visit its picture stays in the corner of the other pages until it is closed. The
 * elements of the player stay where they are in the document, because an embedded player that is moved loads again. While
 * it is not open, it may play on the home page, muted.
 */
export function LiveLayer() {
  const { place, stage, end } = usePlace()
  return place && <LivePage place={place} stage={place === 'home' ? stage : undefined} onClose={end} />
}

/** `ending`: the picture does not stay when the live page is left. */
type Showing = 'none' | 'shown' | 'ending'

function usePlace() {
  const { pathname } = useLocation()
  const [showing, setShowing] = useState<Showing>('none')
  const isPage = matchPath(paths.live(), pathname) !== null
  const mayStay = useMayStay(pathname)
  const next =
    isPage && showing === 'none' ? 'shown' : isPage || (mayStay && showing !== 'ending') ? showing : 'none'
  if (next !== showing) setShowing(next)

  const stage = useStage()
  const place: ViewPlace | undefined = isPage ? 'page' : next === 'none' ? stage && 'home' : 'corner'

  const end = () => {
    liveStage.set(undefined)
    setShowing((known) => (known === 'shown' ? 'ending' : known))
  }
  const endNow = useEffectEvent(end)
  useEffect(() => onLivePictureEnd(() => endNow()), [])
  useSessionEnd(() => {
    // Visitors watch the live page, too.
    if (!isPage) end()
  })
  return { place, stage, end }
}

/** The element over which the picture plays on the home page, once the code of the live page is loaded. */
function useStage(): HTMLElement | undefined {
  const [stage, setStage] = useState<HTMLElement>()
  useEffect(
    () =>
      liveStage.onChange(() => {
        setStage(undefined)
        if (!liveStage.get()) return
        // Without it the page shows its own picture.
        LivePage.preload().then(
          () => setStage(liveStage.get()),
          () => liveStage.set(undefined),
        )
      }),
    [],
  )
  return stage
}

/** Whether a page may have the picture in its corner. */
function useMayStay(pathname: string): boolean {
  const { status } = useSession()
  const hasRoom = useMediaQuery(HAS_ROOM)
  const isSignIn = status === 'signed-out' && (pathname === paths.root() || pathname === paths.home())
  return hasRoom && !isSignIn && !WITHOUT_PICTURE.some((pattern) => matchPath(pattern, pathname))
}
