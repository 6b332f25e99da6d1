import { lazy, Suspense, useEffect } from 'react'
import { PartBoundary } from '../../lib/browser/part-boundary.tsx'
import type { LivePageState } from './live-page-state.ts'
import type { LiveViewProps } from './live-view-props.ts'

const loadSwitcher = () => import('./channel-switcher.tsx')
const loadSyncPanel = () => import('./sync-panel.tsx')
const ChannelSwitcher = lazy(async () => ({ default: (await loadSwitcher()).ChannelSwitcher }))
const SyncPanel = lazy(async () => ({ default: (await loadSyncPanel()).SyncPanel }))

/** Delay before the code of the dialogs is preloaded, in ms: after the picture, and so that they open when offline. */
const PRELOAD_AFTER_MS = 3_000

/** The dialogs of the live page; at most one is open. */
export function LivePanels({ page, props }: { page: LivePageState; props: LiveViewProps }) {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const load of [loadSwitcher, loadSyncPanel]) load().catch(() => undefined)
    }, PRELOAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  if (page.panel === null) return null
  return (
    <PartBoundary key={page.panel} onFailure={page.closePanel}>
      <Suspense>
        <Panel page={page} props={props} />
      </Suspense>
    </PartBoundary>
  )
}

function Panel({ page, props }: { page: LivePageState; props: LiveViewProps }) {
  const { panel, closePanel } = page
  if (panel === 'guide') return props.guide(props.channelId, closePanel, page.switchTo)
  if (panel === 'search') return props.search(page.selectVideo, closePanel)
  if (panel === 'sync') return <SyncPanel page={page} />
  return (
    <ChannelSwitcher
      channels={page.channels}
      currentId={props.channelId}
      onSwitch={page.switchTo}
      onClose={closePanel}
    />
  )
}
