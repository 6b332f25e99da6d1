import { useEffect, useMemo } from 'react'
import type { LiveSession } from './player/live-session.ts'
import { DEFAULT_VOLUME } from './player/live-state.ts'
import { recallSound, rememberSound } from './remembered-sound.ts'

/** The viewer's own wishes for the sound of a session: kept in this browser, and taken up again next time. */
export function useSound(session: LiveSession) {
  useEffect(() => {
    const { volume, muted } = recallSound()
    session.setVolume(volume)
    session.setMuted(muted)
  }, [session])

  return useMemo(() => {
    const setVolume = (volume: number) => {
      session.setVolume(volume)
      rememberSound({ volume, muted: volume === 0 })
    }
    const setMuted = (muted: boolean) => {
      const { volume } = session.state.get()
      // Nobody who wants to hear something means volume 0.
      if (!muted && volume === 0) setVolume(DEFAULT_VOLUME)
      else {
        session.setMuted(muted)
        rememberSound({ volume, muted })
      }
    }
    return { setVolume, setMuted }
  }, [session])
}
