import { useBrand } from '../../lib/use-config.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { toast } from '../../ui/toast.ts'
import { SoundControl } from './sound-control.tsx'
import { UpNext } from './up-next.tsx'
import type { LivePageState } from './use-live-page.ts'
import { useLiveState } from './use-live-session.ts'

/** Below the picture: what is on, the small tools, and the next two. */
export function LiveInfo(props: { page: LivePageState; isActive: boolean; channelId: string }) {
  const { page } = props
  const { upNext, selected } = useLiveState(page.session)
  return (
    <div
      className={classNames(
        '@container shrink-0 px-4 py-2.5 lg:px-5',
        'overlay:absolute overlay:inset-x-0 overlay:bottom-0 overlay:z-20 overlay:pt-12 overlay:transition-opacity',
        'overlay:bg-linear-to-t overlay:from-black/85 overlay:to-transparent',
        !props.isActive && 'overlay:opacity-0',
      )}
    >
      <div className="grid items-center gap-x-8 gap-y-2.5 @4xl:grid-cols-[minmax(15rem,1fr)_auto_minmax(0,auto)]">
        <NowPlaying page={page} />
        <div className="-mx-2 flex items-center gap-0.5 @4xl:mx-0">
          {selected ? <BackToLive page={page} /> : <ChannelButton page={page} channelId={props.channelId} />}
          <SyncButton page={page} />
          <SoundControl session={page.session} isAllowed={page.mayHear} />
        </div>
        {!page.fullscreen.isFullscreen && (
          <div className="min-w-0 overlay:hidden">
            <UpNext programmes={upNext} />
          </div>
        )}
      </div>
    </div>
  )
}

function NowPlaying({ page }: { page: LivePageState }) {
  const { shortName } = useBrand()
  const { programme, selected } = useLiveState(page.session)
  const shown = selected ?? programme?.video
  usePageTitle(shown ? `${shown.title} (live)` : 'Live TV')
  return (
    <div className="min-w-0" aria-live="polite">
      <h1 className="truncate text-lg font-semibold lg:text-xl">
        {shown?.title ?? 'Continuous Live Stream'}
      </h1>
      <p className="truncate text-sm text-muted">
        {shown?.artistName ?? shortName}
        <span className="mx-2" aria-hidden="true">
          ·
        </span>
        <span>24/7 • HD Quality</span>
      </p>
    </div>
  )
}

function BackToLive({ page }: { page: LivePageState }) {
  const goBack = () => {
    page.session.backToLive()
    toast({ title: 'Switching to Live Stream' })
  }
  return (
    <Button tone="primary" onClick={goBack}>
      Back to live
    </Button>
  )
}

function ChannelButton({ page, channelId }: { page: LivePageState; channelId: string }) {
  const name = page.channels.find(({ id }) => id === channelId)?.name
  return (
    <Button tone="plain" icon="tv" className="max-w-52 px-2.5" onClick={() => page.setPanel('channels')}>
      <span className="sr-only">Channels: </span>
      <span className="truncate">{name ?? 'Channels'}</span>
    </Button>
  )
}

function SyncButton({ page }: { page: LivePageState }) {
  const isJoined = page.channel.connection === 'joined'
  return (
    <Button
      tone="plain"
      className="px-2.5"
      aria-label={isJoined ? 'Sync: connected' : 'Sync: not connected'}
      onClick={() => page.setPanel('sync')}
    >
      <Icon name="sync" />
      <span
        aria-hidden="true"
        className={classNames('size-2 rounded-full', isJoined ? 'bg-link' : 'animate-breathe bg-accent')}
      />
    </Button>
  )
}
