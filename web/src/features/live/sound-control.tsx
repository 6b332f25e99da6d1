import { IconButton } from '../../ui/button.tsx'
import type { LiveSession } from './player/live-session.ts'
import { useLiveState } from './use-live-session.ts'

/** Mute and volume. Whoever is not signed in watches in silence and is told why. */
export function SoundControl({ session, isAllowed }: { session: LiveSession; isAllowed: boolean }) {
  const { volume, muted } = useLiveState(session)
  if (!isAllowed) {
    return (
      <IconButton icon="muted" label="Muted: sign in for sound" disabled className="disabled:opacity-100" />
    )
  }
  return (
    <div className="flex items-center gap-1">
      <IconButton
        icon={muted ? 'muted' : 'sound'}
        label={muted ? 'Unmute' : 'Mute'}
        aria-pressed={muted}
        onClick={() => session.setMuted(!muted)}
      />
      <input
        type="range"
        aria-label="Volume"
        min={0}
        max={1}
        step={0.05}
        value={muted ? 0 : volume}
        onChange={(event) => session.setVolume(Number(event.target.value))}
        className="hidden w-24 accent-(--theme-accent) lg:block"
      />
    </div>
  )
}
