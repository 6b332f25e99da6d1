/** What the page around an embed chooses by the query of its address. */
export interface Look {
  theme: 'dark' | 'light'
  /** A colour as CSS writes it; undefined for the default. */
  accent: string | undefined
  isMuted: boolean
  /** False on screens that nobody touches: the player has no buttons, and its texts are read from across the room. */
  hasControls: boolean
}

const COLOUR = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i

/** Reads the query. Values that are not understood are ignored. */
export function readLook(query: string): Look {
  const parameters = new URLSearchParams(query)
  const digits = COLOUR.exec(parameters.get('accent') ?? '')?.[1]
  const isOn = (name: string): boolean => ['', '1', 'true'].includes(parameters.get(name) ?? '0')
  return {
    theme: parameters.get('theme') === 'light' ? 'light' : 'dark',
    accent: digits === undefined ? undefined : `#${digits}`,
    isMuted: isOn('muted'),
    hasControls: parameters.get('controls') !== '0',
  }
}

/** The query that chooses a look, with its question mark; empty for the default one. */
export function lookQuery({ theme, accent, isMuted, hasControls }: Look): string {
  const parameters = new URLSearchParams()
  if (theme === 'light') parameters.set('theme', theme)
  if (accent !== undefined) parameters.set('accent', accent.slice(1))
  if (isMuted) parameters.set('muted', '1')
  if (!hasControls) parameters.set('controls', '0')
  return parameters.size === 0 ? '' : `?${parameters}`
}
