import { Suspense, useEffect, useLayoutEffect, useState } from 'react'
import { part } from '../../lib/browser/part.tsx'
import { PartBoundary } from '../../lib/browser/part-boundary.tsx'
import type { LivePageState } from './live-page-state.ts'
import type { LiveViewProps } from './live-view-props.ts'
import { MoreMenu } from './more-button.tsx'
import type { PicturePlace } from './picture-place.ts'
import { useLiveState } from './use-live-session.ts'

const LiveExtras = part(async () => (await import('./live-extras.tsx')).LiveExtras)
const ChannelSwitcher = part(async () => (await import('./channel-switcher.tsx')).ChannelSwitcher)
const SyncPanel = part(async () => (await import('./sync-panel.tsx')).SyncPanel)
const WhyPanel = part(async () => (await import('./why-panel.tsx')).WhyPanel)
const SharePanel = part(async () => (await import('./share-panel.tsx')).SharePanel)
const PARTS = [LiveExtras, ChannelSwitcher, MoreMenu, SyncPanel, WhyPanel, SharePanel]

/** Delay after the picture has started before code that is not needed at first is loaded, in ms. */
const PRELOAD_AFTER_MS = 1_500

/**
 * Preloads the code of the chat and the dialogs once the picture does not need the network first. Returns whether that has
 * begun.
 */
function usePreloads(page: LivePageState, preloads: LiveViewProps['preloads']): boolean {
  const { phase } = useLiveState(page.session)
  const isStarting = phase === 'connecting' || phase === 'loading-next'
  const [hasBegun, setBegun] = useState(false)
  useEffect(() => {
    if (isStarting) return
    const timer = setTimeout(() => {
      setBegun(true)
      for (const preload of [...PARTS.map((part) => part.preload), ...preloads]) {
        preload().catch(() => undefined)
      }
    }, PRELOAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isStarting, preloads])
  return hasBegun
}

interface PanelProps {
  page: LivePageState
  props: LiveViewProps
  onPlace: (place: PicturePlace) => void
}

/**
 * What else the live page does once its picture has started. The space of the reactions is kept free until then, so that
 * the picture does not move. There is none in fullscreen, nor where the picture fills a small window.
 */
export function LiveRail({ page, props }: Pick<PanelProps, 'page' | 'props'>) {
  const hasBegun = usePreloads(page, props.preloads)
  return (
    <div
      data-beside-picture
      className="h-14 shrink-0 max-lg:in-[#main:has([data-beside-picture]_textarea:focus)]:hidden overlay:hidden beside:block beside:h-auto beside:w-14 in-data-[fullscreen=true]:hidden! has-data-reactions-off:hidden"
    >
      {hasBegun && (
        <PartBoundary>
          <Suspense>
            <LiveExtras page={page} />
          </Suspense>
        </PartBoundary>
      )}
    </div>
  )
}

/** The open dialog of the live page. */
export function LivePanels({ page, props, onPlace }: PanelProps) {
  // The menu More is beside its button.
  if (page.panel === null || page.panel === 'more') return null
  return (
    <PartBoundary key={page.panel} onFailure={page.closePanel}>
      <Suspense>
        <Panel page={page} props={props} onPlace={onPlace} />
      </Suspense>
    </PartBoundary>
  )
}

function Panel({ page, props, onPlace }: PanelProps) {
  const { panel, closePanel } = page
  if (panel === 'guide') {
    const tune = (id: string) => {
      page.session.backToLive()
      props.onChannel(id)
    }
    return (
      <>
        {props.guide({ channelId: props.channelId, close: closePanel, watch: page.switchTo, tune })}
        <PictureInGuide onPlace={onPlace} />
      </>
    )
  }
  if (panel === 'search') return props.search(page.selectVideo, closePanel)
  if (panel === 'requests') return props.requests(() => page.setPanel('search'), closePanel)
  if (panel === 'sync') return <SyncPanel page={page} />
  if (panel === 'why') return <WhyPanel page={page} />
  if (panel === 'share') return <SharePanel page={page} />
  return (
    <ChannelSwitcher
      channels={page.channels}
      currentId={props.channelId}
      onSwitch={page.switchTo}
      onClose={closePanel}
    />
  )
}

/** Moves the picture when the guide is shown: its effect runs once the code of the guide, beside it, is loaded. */
function PictureInGuide({ onPlace }: Pick<PanelProps, 'onPlace'>) {
  useLayoutEffect(() => {
    onPlace('guide')
    return () => onPlace('page')
  }, [onPlace])
  return null
}
