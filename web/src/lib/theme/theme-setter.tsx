import { topics } from '@looptide/contracts/realtime'
import { useEffect } from 'react'
import { useRandomDelay } from '../realtime/use-random-delay.ts'
import { useTopic } from '../realtime/use-topic.ts'
import { useActiveTheme } from './api.ts'
import { useLocalTheme } from './local-theme.ts'
import { drawTheme, rememberTheme } from './remembered-theme.ts'
import { useThemePreview } from './theme-preview.ts'

/** Applies the station's theme, and each new one as soon as an admin saves it. */
export function ThemeSetter() {
  const { data: station, mutate } = useActiveTheme()
  const local = useLocalTheme(station)
  const preview = useThemePreview()
  // Fetches a theme that was saved before this page was subscribed. Delayed at random, so that clients that reconnect
  // together do not request it at the same time.
  const reload = useRandomDelay(() => void mutate())
  useTopic(
    'station',
    topics.station,
    { theme: (push) => void mutate(push.theme, { revalidate: false }) },
    reload,
  )
  const theme = local ?? station
  useEffect(() => {
    if (theme) void rememberTheme(theme)
  }, [theme])
  const shown = preview ?? theme
  useEffect(() => {
    if (shown) drawTheme(shown)
  }, [shown])
  return null
}
