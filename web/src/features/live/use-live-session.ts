import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { LiveSession } from './player/live-session.ts'
import type { LiveSessionOptions } from './player/live-session-options.ts'
import type { LiveProgramme, LiveState, LiveTelemetry } from './player/live-state.ts'
import { playerFactories } from './player/players.ts'

export type UseLiveSession = Omit<LiveSessionOptions, 'players'> & {
  /** The origin of the IFrame API: `youtubeBaseUrl` of /api/config. */
  youtubeBaseUrl: string
  /** The programmes of the channel from the current one on; undefined until received, and between channels. */
  programmes: readonly LiveProgramme[] | undefined
  /** Signed in: sound is allowed. */
  audioAllowed: boolean
}

/**
 * The live session of a component. Callbacks may change on every render, `youtubeBaseUrl` may not. Render it with
 * `<LivePicture session={session} />`.
 */
export function useLiveSession(props: UseLiveSession): LiveSession {
  const { programmes, audioAllowed } = props
  const [callbacks] = useState(() => ({ current: props }))
  useEffect(() => {
    callbacks.current = props
  })
  const [session] = useState(
    () =>
      new LiveSession({
        players: playerFactories(props.youtubeBaseUrl),
        serverNowMs: () => callbacks.current.serverNowMs(),
        onProgrammesNeeded: () => callbacks.current.onProgrammesNeeded(),
        findSubstitutes: (programme) => callbacks.current.findSubstitutes(programme),
        onUnplayable: (...args) => callbacks.current.onUnplayable(...args),
        onUnreachable: (kind) => callbacks.current.onUnreachable(kind),
        onDuration: (...args) => callbacks.current.onDuration(...args),
      }),
  )

  useEffect(() => session.setAudioAllowed(audioAllowed), [session, audioAllowed])
  useEffect(() => session.setTimeline(programmes), [session, programmes])

  const refresh = useEffectEvent(() => session.refresh())
  useEffect(() => {
    document.addEventListener('visibilitychange', refresh)
    return () => document.removeEventListener('visibilitychange', refresh)
  }, [])

  return session
}

/** The state of the session; renders only when it changes. */
export function useLiveState(session: LiveSession): LiveState {
  return useSyncExternalStore(session.state.subscribe, session.state.get)
}

/** The measurements of the sync loop, four times a second, for the sync panel. Undefined while nothing plays. */
export function useLiveTelemetry(session: LiveSession): LiveTelemetry | undefined {
  return useSyncExternalStore(session.telemetry.subscribe, session.telemetry.get)
}
