import { topics } from '@looptide/contracts/realtime'
import { useEffect, useState } from 'react'
import { useTopic } from '../../lib/use-topic.ts'
import { useActiveTheme } from './api.ts'
import { showTheme } from './remembered-theme.ts'
import { themeVariables } from './theme-variables.ts'

/** The socket can wait until the page has been drawn. */
const LISTEN_AFTER_MS = 1_500

/** Draws the page in the station's theme, and in the next one the moment an admin saves it. */
export function ThemeSetter() {
  const { data: theme, mutate } = useActiveTheme()
  const [isListening, setListening] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setListening(true), LISTEN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  useTopic('station', isListening ? topics.station : null, {
    theme: (push) => void mutate(push.theme, { revalidate: false }),
  })
  useEffect(() => {
    if (theme) showTheme(themeVariables(theme))
  }, [theme])
  return null
}
