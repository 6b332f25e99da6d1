import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { fadeClass } from './fade-class.ts'
import type { LivePageState } from './live-page-state.ts'
import { NowPlaying, ProgrammeProgress, useAnnouncement } from './now-playing.tsx'
import { SoundControl } from './sound-control.tsx'
import { UpNext } from './up-next.tsx'
import { useLiveState } from './use-live-session.ts'

/** The area below the picture, or over its lower edge: current programme, controls, and Up Next. */
export function LiveInfo({ page, isActive }: { page: LivePageState; isActive: boolean }) {
  const state = useLiveState(page.session)
  const isAnnounced = useAnnouncement(state)
  const { programme, selected, upNext } = state
  return (
    <div
      data-controls
      // Hidden on a phone while a message is typed, to leave the remaining space to the chat.
      className="shrink-0 max-lg:in-[main:has([data-beside-picture]_textarea:focus)]:hidden overlay:pointer-events-none overlay:absolute overlay:inset-x-0 overlay:bottom-0 overlay:z-20"
    >
      <div
        aria-hidden="true"
        className={classNames(
          'absolute inset-x-0 bottom-0 -z-10 hidden h-[115%] bg-linear-to-t from-black via-black/65 to-transparent overlay:block beside:h-[150%] roomy:hidden',
          fadeClass(isActive || isAnnounced),
        )}
      />
      <div className="grid items-end gap-x-10 gap-y-2.5 px-4 py-2.5 overlay:grid-cols-[minmax(0,1fr)_auto] beside:px-8 beside:pb-5 roomy:items-center roomy:pb-3">
        <div className="grid min-w-0 gap-1 beside:gap-2.5 roomy:gap-1">
          <NowPlaying
            state={state}
            programmes={page.programmes}
            className={fadeClass(isActive || isAnnounced)}
          />
          <div className={classNames('-ml-2.5 flex flex-wrap items-center gap-0.5', fadeClass(isActive))}>
            {selected ? <BackToLive page={page} /> : <ChannelButton page={page} />}
            <SyncButton page={page} />
            <SoundControl page={page} />
          </div>
        </div>
        {!page.fullscreen.isFullscreen && (
          <UpNext
            programmes={upNext}
            className={classNames(
              'min-w-0 overlay:w-60 overlay:rounded-md overlay:bg-black/60 overlay:p-3 beside:w-84 beside:p-4',
              'roomy:w-104 roomy:bg-transparent roomy:p-0 tv:w-104',
              fadeClass(isActive),
            )}
          />
        )}
      </div>
      {programme && !selected && (
        <div className={fadeClass(isActive)}>
          <ProgrammeProgress key={`${programme.id} ${programme.endsAtMs}`} programme={programme} />
        </div>
      )}
    </div>
  )
}

function BackToLive({ page }: { page: LivePageState }) {
  return (
    <Button tone="primary" icon="tv" className="mr-2 ml-2.5" onClick={() => page.session.backToLive()}>
      Back to live
    </Button>
  )
}

function ChannelButton({ page }: { page: LivePageState }) {
  const name = page.channels.find(({ id }) => id === page.channelId)?.name
  return (
    <Button
      tone="plain"
      icon="tv"
      className="max-w-60 px-2.5 tv:text-base"
      onClick={() => page.setPanel('channels')}
    >
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
