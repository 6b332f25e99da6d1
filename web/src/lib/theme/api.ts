import { keyOf, useCall } from '../api/use-call.ts'

export const themeKey = keyOf('GET /api/theme', {}, { anonymous: true })

/** The station's active theme; undefined until it is loaded. */
export const useActiveTheme = () =>
  useCall('GET /api/theme', {}, { anonymous: true, revalidateOnFocus: false })
