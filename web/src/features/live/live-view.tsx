import { useEffect, useState } from 'react'
import { type Activity, useActivity, useTouchGuard } from '../../lib/browser/use-activity.ts'
import { classNames } from '../../ui/class-names.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { currentCard } from './card-content.ts'
import { CardPicture } from './card-picture.tsx'
import { ConnectionStatus } from './connection-status.tsx'
import { DefaultVideo } from './default-video.tsx'
import { FirstPicture } from './first-picture.tsx'
import { LiveInfo } from './live-info.tsx'
import type { LivePageState } from './live-page-state.ts'
import { LivePanels } from './live-panels.tsx'
import { LivePicture } from './live-picture.tsx'
import { LiveTopBar } from './live-top-bar.tsx'
import type { LiveViewProps } from './live-view-props.ts'
import { PictureCover, PictureFocus } from './picture-cover.tsx'
import { hasButton, noticeKind, PictureNotice } from './picture-notice.tsx'
import { SubstituteNotice } from './substitute-notice.tsx'
import { useLivePage } from './use-live-page.ts'
import { useLiveState } from './use-live-session.ts'
import { YoutubeNotice } from './youtube-notice.tsx'

/** The live page: the picture, filling the page where possible, with the controls over or around it. */
export function LiveView(props: LiveViewProps) {
  const page = useLivePage(props)
  const activity = useActivity(page.panel !== null)
  const { isActive } = activity
  return (
    <main
      {...useTouchGuard()}
      id="main"
      data-fullscreen={page.fullscreen.isFullscreen}
      className="dark-surface fixed inset-0 flex flex-col bg-black beside:flex-row"
    >
      <div
        className={classNames(
          'relative isolate flex min-h-0 flex-col overlay:[container:picture/size] overlay:flex-1',
          !isActive && 'overlay:cursor-none',
        )}
      >
        <LiveTopBar
          page={page}
          isActive={isActive}
          chatUnread={(id) => props.chatUnread(props.channelId, page.isChatOpen, id)}
        />
        <ConnectionStatus
          connection={page.channel.connection}
          hasStream={page.channel.timeline !== undefined}
        />
        <Picture page={page} activity={activity} />
        {page.youtube.isNoticeShown && <YoutubeNotice youtube={page.youtube} />}
        <SubstituteNotice session={page.session} isActive={isActive} />
        <LiveInfo page={page} isActive={isActive} />
      </div>
      {page.isChatOpen && (
        <aside
          data-beside-picture
          className="min-h-0 flex-1 border-line overlay:absolute overlay:inset-y-0 overlay:right-0 overlay:z-30 overlay:w-88 overlay:max-w-full beside:static beside:flex-none beside:border-l"
        >
          {props.chat(props.channelId, () => page.setChatOpen(false), page.channel.viewers)}
        </aside>
      )}
      <LivePanels page={page} props={props} />
    </main>
  )
}

function Picture({ page, activity }: { page: LivePageState; activity: Activity }) {
  const { isActive, isByKey, onPicturePress } = activity
  const state = useLiveState(page.session)
  const isSwitching = useSwitching(page.channelId)
  const kind = noticeKind(page, state)
  const card = currentCard(page.programmes, state)
  return (
    <div
      className={classNames(
        'relative aspect-video min-h-50 w-full shrink-0 overlay:absolute overlay:inset-0 overlay:-z-10 overlay:aspect-auto overlay:min-h-0',
        isActive &&
          isByKey &&
          'has-[[data-picture-focus]:focus-visible]:outline-3 has-[[data-picture-focus]:focus-visible]:-outline-offset-3 has-[[data-picture-focus]:focus-visible]:outline-focus',
      )}
    >
      <LivePicture session={page.session}>
        {card && <CardPicture card={card} programmes={page.programmes ?? []} />}
        {kind === 'off-air' && <DefaultVideo />}
        {kind === 'connecting' && <FirstPicture programmes={page.channel.timeline?.programmes} />}
        {kind && <PictureNotice kind={kind} page={page} state={state} />}
      </LivePicture>
      <PictureCover
        isActive={isActive}
        isForeign={state.playerKind === 'youtube' && !card}
        onPress={onPicturePress}
        onDoubleClick={page.fullscreen.toggle}
      />
      {!hasButton(kind) && <PictureFocus isActive={isActive} onPress={onPicturePress} />}
      {isSwitching && (
        <div className="absolute inset-0 z-20 grid place-items-center bg-black text-lg text-white lg:text-xl">
          <Spinner text="Switching Channel..." />
        </div>
      )}
    </div>
  )
}

/** docs/product/viewer.md §9. */
const SWITCH_OVERLAY_MS = 500

/** True for half a second after the channel changed. */
function useSwitching(channelId: string): boolean {
  const [settledId, setSettledId] = useState(channelId)
  useEffect(() => {
    const timer = setTimeout(() => setSettledId(channelId), SWITCH_OVERLAY_MS)
    return () => clearTimeout(timer)
  }, [channelId])
  return settledId !== channelId
}
