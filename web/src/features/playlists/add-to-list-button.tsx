import { Suspense, useState } from 'react'
import { part } from '../../lib/browser/part.tsx'
import { PartBoundary } from '../../lib/browser/part-boundary.tsx'
import { useSession } from '../../lib/session/session.tsx'
import { useAskToSignIn } from '../../lib/session/use-ask-to-sign-in.ts'
import { Button, type ButtonTone, IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useEntries, useOwnPlaylists } from './api.ts'
import { keepInList, type ListedVideo } from './keep-in-list.ts'

const ChoosePlaylistMenu = part(async () => (await import('./choose-playlist-menu.tsx')).ChoosePlaylistMenu)

/**
 * One press puts a video into the viewer's default list; the small button beside it opens the other playlists.
 * `isCompact` shows icons alone, and loads which lists contain the video only on hover or focus: for long lists.
 */
export function AddToListButton(props: {
  video: ListedVideo
  isCompact?: boolean
  tone?: ButtonTone
  className?: string
}) {
  const { video, isCompact = false, tone = 'quiet', className } = props
  const { status } = useSession()
  const askToSignIn = useAskToSignIn('Please sign in to save videos to a playlist')
  const [isNear, setNear] = useState(!isCompact)
  const [menu, setMenu] = useState<'none' | 'open' | 'closed'>('none')
  const [isBusy, setBusy] = useState(false)
  const defaultList = useOwnPlaylists().data?.find(({ isDefault }) => isDefault)
  const entries = useEntries(video.id, isNear)
  const isThere = entries?.some(({ playlistId }) => playlistId === defaultList?.id) ?? false

  const openMenu = () => (status === 'signed-in' ? setMenu('open') : askToSignIn())
  const press = async () => {
    if (status !== 'signed-in') return askToSignIn()
    if (isThere) return openMenu()
    setBusy(true)
    await keepInList('default', video)
    setBusy(false)
  }
  const comeNear = () => {
    setNear(true)
    ChoosePlaylistMenu.preload().catch(() => undefined)
  }
  const label = isThere ? `In ${defaultList?.name}` : 'Add to List'
  const chooser = (onClick?: () => void) => (
    <IconButton
      icon="down"
      label="Choose a playlist"
      tone={tone}
      aria-haspopup="menu"
      aria-expanded={menu === 'open'}
      className="w-8 rounded-l-none border-l border-line/60"
      onClick={onClick}
    />
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that a press may be coming.
    <div className={classNames('inline-flex', className)} onPointerEnter={comeNear} onFocus={comeNear}>
      <Button
        tone={tone}
        icon={isThere ? 'check' : 'plus'}
        aria-label={isCompact ? `${label}: ${video.title}` : undefined}
        title={isCompact ? label : undefined}
        aria-disabled={isBusy}
        className={classNames('rounded-r-none', isCompact && 'w-11 px-0')}
        onClick={() => !isBusy && void press()}
      >
        {!isCompact && label}
      </Button>
      {menu === 'none' ? (
        chooser(openMenu)
      ) : (
        <PartBoundary onFailure={() => setMenu('none')}>
          <Suspense fallback={chooser()}>
            <ChoosePlaylistMenu
              video={video}
              isOpen={menu === 'open'}
              onOpen={(isOpen) => setMenu(isOpen ? 'open' : 'closed')}
              trigger={chooser()}
            />
          </Suspense>
        </PartBoundary>
      )}
    </div>
  )
}
