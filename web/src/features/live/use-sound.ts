import { useEffect, useMemo } from 'react'
import { DEFAULT_VOLUME, loadSound, saveSound } from '../../lib/media/sound-settings.ts'
import type { LiveSession } from './player/live-session.ts'

/** Volume and mute of a session, stored in this browser and restored on the next visit. */
export function useSound(session: LiveSession) {
  useEffect(() => {
    const { volume, muted } = loadSound()
    session.setVolume(volume)
    session.setMuted(muted)
  }, [session])

  return useMemo(() => {
    const setVolume = (volume: number) => {
      session.setVolume(volume)
      saveSound({ volume, muted: volume === 0 })
    }
    const setMuted = (muted: boolean) => {
      const { volume } = session.state.get()
      // Unmuting at volume 0 sets the default volume.
      if (!muted && volume === 0) setVolume(DEFAULT_VOLUME)
      else {
        session.setMuted(muted)
        saveSound({ volume, muted })
      }
    }
    return { setVolume, setMuted }
  }, [session])
}
