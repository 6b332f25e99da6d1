import { Link } from 'react-router-dom'
import { useSignInPath } from '../../lib/session/next-page.ts'
import { buttonClass, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { LivePageState } from './live-page-state.ts'
import { useLiveState } from './use-live-session.ts'

/** Mute and volume. For signed-out viewers, who have no sound, a sign-in link. */
export function SoundControl({ page }: { page: LivePageState }) {
  const signInPath = useSignInPath()
  const { volume, muted } = useLiveState(page.session)
  if (!page.mayHear) {
    return (
      <Link to={signInPath} className={buttonClass('plain', 'px-2.5 tv:text-base')}>
        <Icon name="muted" />
        Sign in for sound
      </Link>
    )
  }
  const shown = muted ? 0 : volume
  return (
    <div className="flex items-center gap-1">
      <IconButton
        icon={muted ? 'muted' : 'sound'}
        label={muted ? 'Unmute' : 'Mute'}
        onClick={() => page.sound.setMuted(!muted)}
      />
      <input
        type="range"
        aria-label="Volume"
        min={0}
        max={1}
        step={0.05}
        value={shown}
        aria-valuetext={`${Math.round(shown * 100)} %`}
        onChange={(event) => page.sound.setVolume(Number(event.target.value))}
        className="hidden w-28 accent-(--theme-accent) lg:block"
      />
    </div>
  )
}
