import type { ThemeBody } from '@looptide/contracts/http/admin'
import { topics } from '@looptide/contracts/realtime'
import { useEffect } from 'react'
import { useTopic } from '../../lib/use-topic.ts'
import { useActiveTheme } from './api.ts'
import { themeVariables } from './theme-variables.ts'

/** Draws the page in the station's theme, and in the next one the moment an admin saves it. */
export function ThemeSetter() {
  const { data: theme, mutate } = useActiveTheme()
  useTopic('station', topics.station, {
    theme: (push: { theme: ThemeBody }) => void mutate(push.theme, { revalidate: false }),
  })
  useEffect(() => {
    if (!theme) return
    for (const [name, value] of Object.entries(themeVariables(theme))) {
      document.documentElement.style.setProperty(name, value)
    }
  }, [theme])
  return null
}
